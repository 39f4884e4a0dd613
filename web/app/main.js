// Starts the table: the header, the page that the address names, and what is said in passing.
import { h, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.js';
import { find, here } from './router.js';
import { look } from './session.js';
import { Footer } from './ui/footer.js';
import { Header } from './ui/header.js';
import { Toasts, complain } from './ui/toast.js';
import { words } from './words/en.js';

/** @import { PageComponent } from './router.js' */

function App() {
  const { path } = here.value;
  const found = find(path);
  const page = found?.page;
  const [shown, show] = useState(/** @type {{ page: typeof page, Component: PageComponent } | null} */ (null));

  useEffect(() => {
    document.title = page ? words.titled(page.title) : words.common.nowhere;
    if (!page) return undefined;
    let gone = false;
    page.load().then(
      module => gone || show({ page, Component: module.default }),
      () => complain(words.common.pageNotLoaded),
    );
    return () => {
      gone = true;
    };
  }, [page]);

  return html`
    <a class="skip" href="#main">${words.nav.skip}</a>
    ${h(Header, { path })}
    <main id="main" tabindex="-1">
      ${!found ? h(Nowhere, null)
        : shown && shown.page === page ? h(shown.Component, { parts: found.parts, key: path })
        : html`<p class="loading" role="status">${words.common.loading}</p>`}
    </main>
    ${h(Footer, null)}
    ${h(Toasts, null)}
  `;
}

function Nowhere() {
  return html`<section class="page narrow">
    <h1>${words.common.nowhere}</h1>
    <p>${words.common.nowhereSays}</p>
    <p><a href="/">${words.common.toLobby}</a></p>
  </section>`;
}

const place = document.getElementById('app');
if (place) render(h(App, null), place);
look().catch(() => complain(words.common.unreachable));
