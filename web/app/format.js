// Numbers, money and times as people here write them. Money comes as whole cents.

const locale = document.documentElement.lang || 'en';

const whole = new Intl.NumberFormat(locale);
const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** @param {number} count */
export const number = count => whole.format(count);

/** An amount: without cents where there are none. @param {number} amount in cents */
export const money = amount => (amount % 100 === 0 ? dollars : cents).format(amount / 100);

/** A gain or a loss, with its sign. @param {number} amount in cents */
export const gain = amount => {
  if (amount === 0) return money(0);
  return `${amount > 0 ? '+' : '−'}${money(Math.abs(amount))}`;
};

/** A share of one, as percent. @param {number} share @param {number} digits */
export const percent = (share, digits = 2) => new Intl.NumberFormat(locale, {
  style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits,
}).format(share);

/** A figure with a fixed number of places. @param {number} value @param {number} digits */
export const decimal = (value, digits) => new Intl.NumberFormat(locale, {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
}).format(value);

/** A day and a time. @param {number} at in milliseconds since 1970 */
export const when = at => moment.format(at);

/** A time of day. @param {number} at in milliseconds since 1970 */
export const time = at => clock.format(at);

const units = /** @type {const} */ (['hour', 'minute']).map(unit => new Intl.NumberFormat(locale, { style: 'unit', unit }));

/** How long something took, in hours and minutes, of which one has begun. @param {number} lasted in milliseconds */
export function duration(lasted) {
  const minutes = Math.floor(lasted / 60_000) + 1;
  const parts = [Math.floor(minutes / 60), minutes % 60].map((count, at) => ({ count, text: units[at]?.format(count) }));
  return parts.filter(({ count }) => count > 0).map(it => it.text).join(' ');
}

/** A share of one that may be a loss, as percent. @param {number} share @param {number} digits */
export const rate = (share, digits = 4) => percent(share, digits).replace('-', '−');

/** What a setting is worth of each dollar. @param {number} share */
export const worth = share => `${share > 0 ? '+' : ''}${rate(share, 3)}`;

/** An average of money, finer than cents. @param {number} value in dollars @param {number} digits */
export const average = (value, digits = 4) => new Intl.NumberFormat(locale, {
  style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits,
}).format(value);
