// People and their roles, for operators. Whatever is done has a reason, which stands in the log.
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../html.js';
import * as api from '../../api.js';
import { when } from '../../format.js';
import { Waiting, saying } from '../../ui/loaded.js';
import { complain, tell } from '../../ui/toast.js';
import { words } from '../../words/en.js';

/** @import { Done, Made, Me, Proposed, Someone } from '../../types.js' */

/** So many come at once. */
const PAGE = 200;

/** @param {{ you: Me }} props */
export function People({ you }) {
  const [people, setPeople] = useState(/** @type {Someone[] | null} */ (null));
  const [proposals, setProposals] = useState(/** @type {Proposed[]} */ ([]));
  const [more, setMore] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  /** @param {Someone[]} already */
  const load = async already => {
    try {
      const [next, waiting] = await Promise.all([api.people(already.at(-1)?.person ?? 0), api.proposals()]);
      setProposals(waiting);
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
  const again = () => load([]);
  return html`
    ${proposals.length > 0 && html`<section aria-labelledby="proposals"><h2 id="proposals">${words.pit.proposals}</h2>
      <ul class="people">${proposals.map(it => html`<li key=${it.number} class="sheet" data-proposal=${it.number}>
        ${h(Waits, { proposed: it, you, again })}</li>`)}</ul></section>`}
    <ul class="people" aria-label=${words.pit.peopleList}>
      ${people.map(it => html`<li key=${it.person} class="sheet" data-person=${it.person}>
        ${h(One, { someone: it, self: it.person === you.person, again })}</li>`)}
    </ul>
    ${more && html`<p><button type="button" onClick=${() => load(people)}>${words.pit.more}</button></p>`}`;
}

/** Does something, says what came of it, and shows everyone anew. @param {() => void} after */
const making = after => async (/** @type {() => Promise<Done | Made>} */ change) => {
  try {
    const { done } = await change();
    tell(done ? words.pit.done : words.pit.takesTwo);
    after();
  } catch (error) {
    complain(saying(error));
  }
};

/** A role that takes two operators, and has one. @param {{ proposed: Proposed, you: Me, again: () => void }} props */
function Waits({ proposed, you, again }) {
  const [why, setWhy] = useState('');
  const roles = /** @type {Record<string, string>} */ (words.account.roles);
  const make = making(again);
  const { number, person, standing } = proposed;
  const mayAgree = ![proposed.by, person].includes(you.person);
  const decline = () => make(() => api.change(person, 'decline', why));
  return html`
    <p>${words.pit.proposed(proposed.name, roles[standing] ?? standing, proposed['by-name'], proposed.why, when(proposed.until))}</p>
    <form class="form" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      if (mayAgree) make(() => api.setStanding(person, standing, why, number));
      else decline();
    }}>
      <label class="field"><span>${words.pit.why}</span>
        <input name="why" required maxlength="200" autocomplete="off" value=${why}
          onInput=${(/** @type {any} */ event) => setWhy(event.currentTarget.value)} /></label>
      <div class="form-buttons">
        ${mayAgree && html`<button type="submit" class="first small" data-do="agree">${words.pit.agree}</button>`}
        ${mayAgree
          ? html`<button type="button" class="small" data-do="decline" onClick=${decline}>${words.pit.decline}</button>`
          : html`<button type="submit" class="small" data-do="decline">${words.pit.takeBack}</button>`}
      </div>
    </form>`;
}

/** @param {{ someone: Someone, self: boolean, again: () => void }} props */
function One({ someone, self, again }) {
  const [why, setWhy] = useState('');
  const [standing, setStanding] = useState(someone.standing);
  // It may have changed otherwise than by this form.
  useEffect(() => setStanding(someone.standing), [someone.standing]);
  const roles = /** @type {Record<string, string>} */ (words.account.roles);
  const shut = someone.disabled !== null && someone.disabled !== undefined;
  const make = making(() => {
    setWhy('');
    again();
  });
  return html`
    <div class="person-about"><b>${someone.name}</b>
      <span class="tag">${someone.guest ? words.pit.guest : roles[someone.standing] ?? someone.standing}</span>
      ${shut && html`<span class="tag void">${words.pit.shutOut}</span>`}
      <span class="quiet">${words.pit.since} ${when(someone.created)}</span></div>
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
