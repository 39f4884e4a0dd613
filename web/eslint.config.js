// Rules that find mistakes. How the code looks is left to whoever writes it.
const browser = [
  'window', 'document', 'location', 'history', 'navigator', 'localStorage', 'sessionStorage', 'fetch', 'WebSocket', 'crypto',
  'URL', 'URLSearchParams', 'Intl', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval',
  'requestAnimationFrame', 'cancelAnimationFrame', 'performance', 'matchMedia', 'AudioContext', 'Element', 'HTMLElement',
  'HTMLInputElement', 'HTMLSelectElement', 'HTMLDialogElement', 'PointerEvent', 'KeyboardEvent', 'Event', 'MouseEvent',
  'TextEncoder', 'TextDecoder', 'Blob', 'console', 'queueMicrotask', 'structuredClone', 'AbortController', 'ResizeObserver',
  'getComputedStyle', 'addEventListener', 'atob', 'btoa', 'Node', 'FormData', 'SubmitEvent', 'HTMLFormElement',
];

// Nothing in the client compares two cards. The types see to that: a card is a symbol to them. These are the ways
// around the types; `planted/` shows that each is found.
const named = /^(card|rank|suit)s?$/i;
const card = `Identifier[name=${named}]`;
const opaque = [
  [`CallExpression[callee.property.name=/^(indexOf|lastIndexOf)$/] > ${card}.arguments`, 'A card has no place in an order.'],
  ['CallExpression[callee.object.name=/^(cards|ranks|suits)$/i][callee.property.name=/^find(Last)?Index$/]',
    'A card has no place in an order.'],
  [`CallExpression[callee.name=/^(String|Number|BigInt|parseInt)$/] > ${card}.arguments`, 'A card is neither a text nor a number.'],
  [`MemberExpression[property.name=/^(toString|valueOf|description)$/] > ${card}.object`, 'A card is neither a text nor a number.'],
];
// And where cards are taken apart, to be drawn and named, nothing is ordered or counted at all.
const drawn = [
  ...opaque,
  ['BinaryExpression[operator=/^([<>]=?|[-*%]|\\*\\*)$/]', 'What a card shows is not compared or counted.'],
  ['UnaryExpression[operator=/^[-+~]$/]', 'What a card shows is no number.'],
  ['CallExpression[callee.name=/^(Number|BigInt|parseInt|parseFloat)$/]', 'What a card shows is no number.'],
  ['CallExpression[callee.property.name=/^(sort|toSorted|indexOf|lastIndexOf|findIndex|findLastIndex|charCodeAt|codePointAt|localeCompare)$/]',
    'What a card shows has no order.'],
];
/** A comment can take a card for a text, before the types are asked. */
const cards = { rules: { 'taken-for-something-else': { create: ({ report, sourceCode }) => ({
  Program() {
    for (const comment of sourceCode.getAllComments().filter(it => it.value.includes('@type'))) {
      const [opening, what] = sourceCode.getTokensAfter(comment, 2);
      if (opening?.value === '(' && named.test(what?.value)) report({ loc: comment.loc, message: 'A card is a card.' });
    }
  },
}) } } };

/** @param {string[][]} all */
const forbidden = all => ['error', ...all.map(([selector, message]) => ({ selector, message }))];

export default [
  { ignores: ['vendor/**', 'node_modules/**'] },
  {
    files: ['app/**/*.js', 'planted/around.js', 'planted/drawn.js'],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: 'module',
      globals: Object.fromEntries(browser.map(name => [name, 'readonly'])),
    },
    plugins: { cards },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'consistent-return': 'error',
      'eqeqeq': 'error',
      'max-len': ['error', { code: 130, ignoreUrls: true, ignoreTemplateLiterals: true, ignoreStrings: true }],
      'no-alert': 'error',
      'no-console': 'error',
      'no-const-assign': 'error',
      'no-dupe-keys': 'error',
      'no-duplicate-imports': 'error',
      'no-eval': 'error',
      'no-fallthrough': 'error',
      'no-implicit-globals': 'error',
      'no-redeclare': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unused-expressions': ['error', { allowShortCircuit: false }],
      'no-unused-vars': 'error',
      'no-var': 'error',
      'no-warning-comments': 'error',
      'cards/taken-for-something-else': 'error',
      'no-restricted-syntax': forbidden(opaque),
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': ['error',
        { property: 'innerHTML', message: 'Text is drawn, never parsed.' },
        { property: 'outerHTML', message: 'Text is drawn, never parsed.' }],
    },
  },
  {
    files: ['app/ui/card.js', 'app/words/en/cards.js', 'planted/drawn.js'],
    rules: { 'no-restricted-syntax': forbidden(drawn) },
  },
];
