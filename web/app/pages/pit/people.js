// People and their roles, for operators. Whatever is done has a reason, which stands in the log.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { when } from '../../format.js';
import { Waiting, saying } from '../../ui/loaded.js';
import { complain, tell } from '../../ui/toast.js';
import { words } from '../../words/en.js';

/** @import { Me, Someone } from '../../types.js' */

/** So many come at once. */
const PAGE = 200;

/** @param {{ you: Me }} props */
export function People({ you }) {
  const [people, setPeople] = useState(/** @type {Someone[] | null} */ (null));
  const [more, setMore] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  /** @param {Someone[]} already */
  const load = async already => {
    try {
      const next = await api.people(already.at(-1)?.person ?? 0);
      setPeople([...already, ...next]);
      setMore(next.length === PAGE);
    } catch (wrong) {
      setError(wrong);
    }
  };
  useEffect(() => {
    load([]);
  }, []);
  if (!people) return h(Waiting, { error });
  return html`
    <ul class="people" aria-label=${words.pit.peopleList}>
      ${people.map(it => html`<li key=${it.person} class="sheet" data-person=${it.person}>
        ${h(One, { someone: it, you, name: nameIn(people), again: () => load([]) })}</li>`)}
    </ul>
    ${more && html`<p><button type="button" onClick=${() => load(people)}>${words.pit.more}</button></p>`}`;
}

/** What someone is called, as far as they are in the list. @param {Someone[]} people */
const nameIn = people => (/** @type {number | null | undefined} */ person) =>
  people.find(it => it.person === person)?.name ?? words.pit.oneOperator;

/** @param {{ someone: Someone, you: Me, name: ReturnType<typeof nameIn>, again: () => void }} props */
function One({ someone, you, name, again }) {
  const [why, setWhy] = useState('');
  const [standing, setStanding] = useState(someone.standing);
  const { proposed } = someone;
  const self = someone.person === you.person;
  const roles = /** @type {Record<string, string>} */ (words.account.roles);
  const shut = someone.disabled !== null && someone.disabled !== undefined;
  /** @param {() => Promise<{ done: boolean }>} change */
  const make = async change => {
    try {
      const { done } = await change();
      setWhy('');
      tell(done ? words.pit.done : words.pit.takesTwo);
      again();
    } catch (error) {
      complain(saying(error));
    }
  };
  return html`
    <div class="person-about"><b>${someone.name}</b>
      <span class="tag">${someone.guest ? words.pit.guest : roles[someone.standing] ?? someone.standing}</span>
      ${shut && html`<span class="tag void">${words.pit.shutOut}</span>`}
      <span class="quiet">${words.pit.since} ${when(someone.created)}</span></div>
    ${proposed && html`<p class="proposed">
      ${words.pit.proposed(roles[proposed.standing] ?? proposed.standing, name(proposed.by), proposed.why, when(proposed.until))}
      ${!self && proposed.by !== you.person && html` <button type="button" class="small" data-do="agree"
        onClick=${() => make(() => api.setStanding(someone.person, proposed.standing, proposed.why))}>${words.pit.agree}</button>`}</p>`}
    ${!self && html`<details><summary>${words.pit.edit}<span class="only-read"> ${someone.name}</span></summary>
      <form class="form" onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        make(() => api.setStanding(someone.person, standing, why));
      }}>
        <label class="field"><span>${words.pit.why}</span>
          <input name="why" required maxlength="200" autocomplete="off" value=${why} aria-describedby=${`why-${someone.person}`}
            onInput=${(/** @type {any} */ event) => setWhy(event.currentTarget.value)} />
          <small id=${`why-${someone.person}`}>${words.pit.whyHint}</small></label>
        <label class="field"><span>${words.pit.newStanding}</span>
          <select name="standing" onChange=${(/** @type {any} */ event) => setStanding(event.currentTarget.value)}>
            ${Object.entries(roles).map(([value, text]) => html`<option key=${value} value=${value} selected=${value === standing}>${text}</option>`)}
          </select></label>
        <div class="form-buttons">
          <button type="submit" class="first small">${words.pit.saveStanding}</button>
          <button type="button" class="small" data-do=${shut ? 'enable' : 'disable'}
            onClick=${() => make(() => api.change(someone.person, shut ? 'enable' : 'disable', why))}>
            ${shut ? words.pit.enable : words.pit.disable}</button>
          <button type="button" class="small" data-do="end-sessions"
            onClick=${() => make(() => api.change(someone.person, 'end-sessions', why))}>${words.pit.endSessions}</button>
        </div>
      </form></details>`}`;
}
