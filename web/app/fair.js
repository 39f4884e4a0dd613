// Checks the proof of a deal. Written from docs/fairness.md alone, so that you need not trust the house's own
// code: read it here, or save it and run it elsewhere. Nothing in it asks the house for anything.
//
//   text ──► read ──► verify ──► what is proved
//                        │ hash, derive (SHA-256, HMAC), chacha20
//
// What is left to you: that the commitment is the one you saw before the first wager, and that the words are
// those that were said.

const FORM = 'houseway-fair/1';
const CARDS = [...'23456789TJQKA'].flatMap(rank => [...'cdhs'].map(suit => rank + suit)).concat('Jk');
/** Leaf 53 is the number; 54 to 63 fill the tree up. */
const NUMBER_LEAF = 53;
const LEAVES = 64;
const DEPTH = 6;

/**
 * @typedef {object} Proved
 * @property {string} table
 * @property {bigint} round
 * @property {string} commitment
 * @property {{ person: bigint, words: string }[]} words
 * @property {number} cut
 * @property {[number, string][]} cards places of the deck as it was dealt, with the cards there
 * @property {number | null} number
 * @property {boolean} whole whether the seed showed every card
 */

/** What does not hold: where in the proof, and why, in a word for which the table has a sentence. */
export class NotProved extends Error {
  /** @param {string} at @param {string} why @param {string | number} [is] what would be right */
  constructor(at, why, is) {
    super(`${at}: ${why}`);
    this.at = at;
    this.why = why;
    this.is = is;
  }
}

/** @param {unknown} holds @param {string} at @param {string} why @param {string | number} [is] @returns {asserts holds} */
function need(holds, at, why, is) {
  if (!holds) throw new NotProved(at, why, is);
}

// --- Reading ---------------------------------------------------------------------------------------------

/**
 * A document as it is written: an object is a map, in which no field is there twice; a number is whole, without
 * sign, point or exponent, and as large as it likes. JSON.parse would let all of that pass.
 * @typedef {Map<string, Json> | Json[] | string | bigint | boolean | null} Json
 */

/** @param {string} text @returns {Json} */
export function read(text) {
  let at = 0;
  /** @param {RegExp} form sticky @returns {string | null} */
  const take = form => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (!found) return null;
    at = form.lastIndex;
    return found[0];
  };
  const space = () => take(/[ \t\r\n]*/y);
  /** @param {string} wanted */
  const sign = wanted => {
    space();
    if (text[at] !== wanted) return false;
    at += 1;
    return true;
  };
  const string = () => {
    space();
    const found = take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    need(found !== null, `${at}`, 'not-json');
    return /** @type {string} */ (JSON.parse(found));
  };
  /** @param {number} depth @returns {Json} */
  const value = depth => {
    need(depth < 32, `${at}`, 'not-json');
    if (sign('{')) {
      /** @type {Map<string, Json>} */
      const object = new Map();
      if (sign('}')) return object;
      do {
        const name = string();
        need(!object.has(name), name, 'twice');
        need(sign(':'), `${at}`, 'not-json');
        object.set(name, value(depth + 1));
      } while (sign(','));
      need(sign('}'), `${at}`, 'not-json');
      return object;
    }
    if (sign('[')) {
      /** @type {Json[]} */
      const items = [];
      if (sign(']')) return items;
      do items.push(value(depth + 1)); while (sign(','));
      need(sign(']'), `${at}`, 'not-json');
      return items;
    }
    if (text[at] === '"') return string();
    const plain = take(/(?:true|false|null|0|[1-9][0-9]*)(?![0-9a-zA-Z.])/y);
    need(plain !== null, `${at}`, 'not-json');
    if (plain === 'null') return null;
    return plain === 'true' || plain === 'false' ? plain === 'true' : BigInt(plain);
  };
  const document = value(0);
  space();
  need(at === text.length, `${at}`, 'not-json');
  return document;
}

/**
 * The fields of an object: all that are wanted, perhaps some others, nothing else.
 * @param {Json | undefined} value @param {string} at @param {string[]} wanted @param {string[]} [optional]
 * @returns {Record<string, Json | undefined>}
 */
function fields(value, at, wanted, optional = []) {
  need(value instanceof Map, at, 'no-object');
  for (const name of wanted) need(value.has(name), `${at}.${name}`, 'missing');
  for (const [name, it] of value) {
    need(wanted.includes(name) || optional.includes(name), `${at}.${name}`, 'unknown');
    need(it !== null, `${at}.${name}`, 'missing');
  }
  return Object.fromEntries(value);
}

/** @param {Json | undefined} value @param {bigint} low @param {bigint} high @param {string} at */
function whole(value, low, high, at) {
  need(typeof value === 'bigint' && low <= value && value <= high, at, 'no-number', `${low}–${high}`);
  return value;
}

/** @param {Json | undefined} value @param {string} at */
function bytes32(value, at) {
  need(typeof value === 'string' && /^[0-9a-f]{64}$/.test(value), at, 'no-hash');
  return Uint8Array.from(value.match(/../g) ?? [], digits => parseInt(digits, 16));
}

/** A text as UTF-8; one with half a character in it has none. @param {Json | undefined} value @param {string} at */
function utf8(value, at) {
  need(typeof value === 'string', at, 'no-text');
  const bytes = new TextEncoder().encode(value);
  need(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) === value, at, 'no-text');
  return bytes;
}

// --- Hashes ----------------------------------------------------------------------------------------------

/** @param {bigint | number} value @param {number} length @returns {Uint8Array} the most significant byte first */
function bigEndian(value, length) {
  return Uint8Array.from({ length }, (_, at) => Number(BigInt(value) >> BigInt(8 * (length - 1 - at)) & 0xffn));
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {string} purpose @param {Uint8Array[]} parts */
function list(purpose, parts) {
  const named = [new TextEncoder().encode(`${FORM}/${purpose}`), ...parts];
  return joined(named.flatMap(part => [bigEndian(part.length, 8), part]));
}

/** @param {string} purpose @param {...Uint8Array} parts */
export const hash = (purpose, ...parts) => sha256(list(purpose, parts));

/** @param {Uint8Array} key @param {string} purpose @param {...Uint8Array} parts */
export const derive = (key, purpose, ...parts) => hmac(key, list(purpose, parts));

/** HMAC (RFC 2104) with a key of at most 64 bytes. @param {Uint8Array} key @param {Uint8Array} message */
async function hmac(key, message) {
  const padded = new Uint8Array(64);
  padded.set(key);
  const inner = await sha256(joined([padded.map(byte => byte ^ 0x36), message]));
  return sha256(joined([padded.map(byte => byte ^ 0x5c), inner]));
}

/** SHA-256 by the browser, where it has it: pages over plain HTTP from afar do not. @param {Uint8Array} message */
export async function sha256(message) {
  if (!globalThis.crypto?.subtle) return sha256ByHand(message);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (message)));
}

/** The first 64 primes: FIPS 180-4 takes its constants from their roots. */
const PRIMES = Array.from({ length: 311 }, (_, at) => at + 2)
  .filter(number => Array.from({ length: 16 }, (_, at) => at + 2).every(by => number % by !== 0 || number === by));

/** The first 32 bits of the fraction of a root. @param {number} power @returns {(prime: number) => number} */
const fractionOf = power => prime => {
  // The largest whole number whose power is at most prime · 2^(32·power), by halving.
  let [low, high] = [0n, 1n << 37n];
  const most = BigInt(prime) << BigInt(32 * power);
  while (high - low > 1n) {
    const middle = low + high >> 1n;
    if (middle ** BigInt(power) <= most) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
};
const FIRST = PRIMES.slice(0, 8).map(fractionOf(2));
const ROUND = Uint32Array.from(PRIMES.slice(0, 64).map(fractionOf(3)));

/** SHA-256 (FIPS 180-4), step by step. @param {Uint8Array} message */
export function sha256ByHand(message) {
  const zeros = new Uint8Array((119 - message.length % 64) % 64);
  const padded = joined([message, Uint8Array.of(0x80), zeros, bigEndian(8 * message.length, 8)]);
  const blocks = new DataView(padded.buffer);
  const state = Uint32Array.from(FIRST);
  const w = new Uint32Array(64);
  /** @param {Uint32Array} words @param {number} at */
  const of = (words, at) => /** @type {number} */ (words[at]);
  /** @param {number} word @param {number} by */
  const right = (word, by) => word >>> by | word << 32 - by;
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t += 1) w[t] = blocks.getUint32(block + 4 * t);
    for (let t = 16; t < 64; t += 1) {
      const [two, fifteen] = [of(w, t - 2), of(w, t - 15)];
      const small0 = right(fifteen, 7) ^ right(fifteen, 18) ^ fifteen >>> 3;
      const small1 = right(two, 17) ^ right(two, 19) ^ two >>> 10;
      w[t] = small1 + of(w, t - 7) + small0 + of(w, t - 16);
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let t = 0; t < 64; t += 1) {
      const big1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
      const t1 = h + big1 + (e & f ^ ~e & g) + of(ROUND, t) + of(w, t) | 0;
      const big0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
      const t2 = big0 + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + t1 | 0, c, b, a, t1 + t2 | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] = of(state, at) + word;
    });
  }
  return joined([...state].map(word => bigEndian(word, 4)));
}

/** The key stream of ChaCha20 (RFC 8439) with nonce 0, from block 0 on. @param {Uint8Array} key */
export function* chacha20(key) {
  const start = new Uint32Array(16);
  const view = new DataView(joined([new TextEncoder().encode('expand 32-byte k'), key]).buffer);
  for (let at = 0; at < 12; at += 1) start[at] = view.getUint32(4 * at, true);
  const columns = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
  const diagonals = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
  /** @param {Uint32Array} x @param {number} to @param {number} other @param {number} mixed @param {number} left */
  const step = (x, to, other, mixed, left) => {
    x[to] = /** @type {number} */ (x[to]) + /** @type {number} */ (x[other]);
    const word = /** @type {number} */ (x[mixed]) ^ /** @type {number} */ (x[to]);
    x[mixed] = word << left | word >>> 32 - left;
  };
  for (;;) {
    const x = start.slice();
    for (let round = 0; round < 10; round += 1) {
      for (const [a = 0, b = 0, c = 0, d = 0] of [...columns, ...diagonals]) {
        step(x, a, b, d, 16);
        step(x, c, d, b, 12);
        step(x, a, b, d, 8);
        step(x, c, d, b, 7);
      }
    }
    const block = new DataView(new ArrayBuffer(64));
    x.forEach((word, at) => block.setUint32(4 * at, word + /** @type {number} */ (start[at]), true));
    yield* new Uint8Array(block.buffer);
    start[12] = /** @type {number} */ (start[12]) + 1;
  }
}

// --- The deal --------------------------------------------------------------------------------------------

/** A number from 0 to choices − 1. @param {{ next: () => unknown }} stream @param {number} choices */
async function draw(stream, choices) {
  for (;;) {
    const { value: byte } = /** @type {{ value: number }} */ (await stream.next());
    if (byte < 256 - 256 % choices) return byte % choices;
  }
}

/**
 * Digest, cut and shift, from what was said.
 * @param {Uint8Array} table @param {Uint8Array} round @param {number} highest @param {Uint8Array[]} said
 */
async function cutOf(table, round, highest, said) {
  /** @param {number} n */
  const block = n => hash('cut', table, round, bigEndian(n, 4), ...said);
  const digest = await block(0);
  if (said.length === 0) return { digest, places: 0, shift: 0 };
  async function* bytes() {
    for (let n = 0; ; n += 1) yield* await block(n);
  }
  const stream = bytes();
  return { digest, places: await draw(stream, 53), shift: await draw(stream, highest) };
}

/**
 * The committed deck, its number and the root over them, from the seed.
 * @param {Uint8Array} seed @param {Uint8Array} table @param {Uint8Array} round @param {number} highest
 */
export async function deckOf(seed, table, round, highest) {
  const stream = chacha20(await derive(seed, 'shuffle-key', table, round));
  const deck = [...CARDS];
  for (let last = 52; last > 0; last -= 1) {
    const other = await draw(stream, last + 1);
    [deck[last], deck[other]] = [/** @type {string} */ (deck[other]), /** @type {string} */ (deck[last])];
  }
  const number = await draw(stream, highest) + 1;
  const values = [...deck.map(card => new TextEncoder().encode(card)), Uint8Array.of(number)];
  let row = await Promise.all(values.map(async (value, index) => {
    const salt = await derive(seed, 'salt', table, round, Uint8Array.of(index));
    return hash('leaf', Uint8Array.of(index), salt, value);
  }));
  while (row.length < LEAVES) row.push(new Uint8Array(32));
  while (row.length > 1) {
    const nodes = row;
    row = await Promise.all(Array.from({ length: nodes.length / 2 }, (_, at) =>
      hash('node', .../** @type {Uint8Array[]} */ (nodes.slice(2 * at, 2 * at + 2)))));
  }
  return { deck, number, root: /** @type {Uint8Array} */ (row[0]) };
}

/**
 * The root that an opened leaf leads to.
 * @param {number} index @param {Uint8Array} value @param {Json | undefined} salt @param {Json | undefined} path
 * @param {string} at
 */
async function rootOf(index, value, salt, path, at) {
  need(Array.isArray(path) && path.length === DEPTH, at, 'no-path');
  let node = await hash('leaf', Uint8Array.of(index), bytes32(salt, at), value);
  for (const [height, half] of path.entries()) {
    const other = bytes32(half, at);
    node = await (index >> height & 1 ? hash('node', other, node) : hash('node', node, other));
  }
  return node;
}

/** @param {Uint8Array} bytes */
export const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

/**
 * Checks a proof. Throws what does not hold; otherwise says what is proved.
 * @param {string} text the document
 * @param {string | null} [published] the commitment as it was seen before the first wager, where it was
 * @returns {Promise<Proved>}
 */
export async function verify(text, published = null) {
  const proof = fields(read(text), 'proof',
    ['form', 'deal', 'commitment', 'words', 'cut', 'evidence'], ['number']);
  need(proof.form === FORM, 'form', 'other-form', FORM);
  const deal = fields(proof.deal, 'deal', ['table', 'round', 'highest']);
  const table = utf8(deal.table, 'deal.table');
  const roundNumber = whole(deal.round, 0n, (1n << 64n) - 1n, 'deal.round');
  const round = bigEndian(roundNumber, 8);
  const highest = Number(whole(deal.highest, 1n, 255n, 'deal.highest'));
  const commitment = hex(bytes32(proof.commitment, 'commitment'));
  need(published === null || published === commitment, 'commitment', 'not-published', published ?? '');
  /** @param {Uint8Array} root */
  const binds = async root =>
    hex(await hash('commitment', table, round, Uint8Array.of(highest), root)) === commitment;

  // 1. The cut follows from the words.
  need(Array.isArray(proof.words), 'words', 'no-list');
  let before = -1n;
  const words = proof.words.map((entry, at) => {
    const { person, words: said } = fields(entry, `words[${at}]`, ['person', 'words']);
    const bytes = utf8(said, `words[${at}]`);
    need(bytes.length >= 1 && bytes.length <= 256, `words[${at}]`, 'no-text');
    before = whole(person, before + 1n, (1n << 32n) - 1n, `words[${at}].person`);
    return { person: before, words: String(said), bytes };
  });
  const cut = fields(proof.cut, 'cut', ['places', 'digest']);
  const said = words.flatMap(it => [bigEndian(it.person, 4), it.bytes]);
  const { digest, places, shift } = await cutOf(table, round, highest, said);
  need(hex(bytes32(cut.digest, 'cut.digest')) === hex(digest), 'cut.digest', 'other-words', hex(digest));
  need(Number(whole(cut.places, 0n, 52n, 'cut.places')) === places, 'cut.places', 'other-cut', places);

  // 2. and 3. What is opened leads to the commitment.
  /** @type {[number, string][]} */
  const cards = [];
  /** @type {number | null} */
  let committed = null;
  const evidence = fields(proof.evidence, 'evidence', [], ['opened', 'seed']);
  need(Object.keys(evidence).length === 1, 'evidence', 'no-evidence');
  if (evidence.seed !== undefined) {
    const { deck, number, root } = await deckOf(bytes32(evidence.seed, 'seed'), table, round, highest);
    need(await binds(root), 'seed', 'other-deck');
    deck.forEach((_, place) => cards.push([place, /** @type {string} */ (deck[(place + places) % 53])]));
    committed = number;
  } else {
    const opened = fields(evidence.opened, 'opened', ['cards'], ['number']);
    need(Array.isArray(opened.cards), 'opened.cards', 'no-list');
    for (const [at, opening] of opened.cards.entries()) {
      const it = fields(opening, `cards[${at}]`, ['place', 'card', 'salt', 'path']);
      const last = cards.at(-1)?.[0] ?? -1;
      const place = Number(whole(it.place, BigInt(last + 1), 52n, `cards[${at}].place`));
      const card = String(it.card);
      need(typeof it.card === 'string' && CARDS.includes(card), `cards[${at}]`, 'no-card', card);
      need(!cards.some(([, other]) => other === card), `cards[${at}]`, 'card-twice', card);
      const leaf = new TextEncoder().encode(card);
      const root = await rootOf((place + places) % 53, leaf, it.salt, it.path, `cards[${at}]`);
      need(await binds(root), `cards[${at}]`, 'not-committed', card);
      cards.push([place, card]);
    }
    if (opened.number !== undefined) {
      const it = fields(opened.number, 'opened.number', ['committed', 'salt', 'path']);
      committed = Number(whole(it.committed, 1n, BigInt(highest), 'opened.number.committed'));
      const root = await rootOf(NUMBER_LEAF, Uint8Array.of(committed), it.salt, it.path, 'opened.number');
      need(await binds(root), 'opened.number', 'number-not-committed', committed);
    }
    need(cards.length > 0 || committed !== null, 'opened', 'nothing-opened');
  }

  // 4. The number follows from the committed one and the shift.
  const number = committed === null ? null : (committed - 1 + shift) % highest + 1;
  const told = proof.number === undefined ? null : Number(whole(proof.number, 1n, 255n, 'number'));
  need(told === number, 'number', 'other-number', number ?? '–');
  return {
    table: String(deal.table), round: roundNumber, commitment, words, cut: places, cards, number,
    whole: evidence.seed !== undefined,
  };
}
