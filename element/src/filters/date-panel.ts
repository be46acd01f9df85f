import { html, type TemplateResult } from 'lit';
import type { FilterChoice } from '../api/filter-state.ts';
import type { Formats } from '../formats.ts';
import { calendar } from './calendar.ts';
import type { Offer } from './offer.ts';

/** The periods that a visitor chooses with one click, counted to the server's today. */
const PERIODS: readonly (readonly [words: string, period: string, n?: number])[] = [
  ['Last {0} days', 'last_n_days', 7],
  ['Last {0} days', 'last_n_days', 30],
  ['Last {0} days', 'last_n_days', 90],
  ['Last {0} months', 'last_n_months', 12],
  ['This month', 'mtd'],
  ['This quarter', 'qtd'],
  ['This year', 'ytd'],
];

/** Renders relative periods, and a calendar for days from and to. */
export function datePanel(
  { range }: Offer,
  choice: FilterChoice | undefined,
  choose: (choice: FilterChoice | undefined) => void,
  formats: Formats,
): TemplateResult {
  const period = choice && 'period' in choice ? choice : undefined;
  return html`<div class="periods" role="group" aria-label=${formats.say('Periods')}>${PERIODS.map(
    ([words, name, n]) =>
      html`<button type="button" class="period" aria-pressed=${String(period?.period === name && period.n === n)}
        @click=${() => choose(n === undefined ? { period: name } : { period: name, n })}>${formats.say(words, n ?? '')}</button>`,
  )}</div>${calendar({
    from: endOf(choice, 'from'),
    to: endOf(choice, 'to'),
    least: range?.least.slice(0, 10),
    greatest: range?.greatest.slice(0, 10),
    formats,
    choose: (from, to) =>
      choose(from === undefined && to === undefined ? undefined : { ...(from ? { from } : {}), ...(to ? { to } : {}) }),
  })}`;
}

function endOf(choice: FilterChoice | undefined, end: 'from' | 'to'): string | undefined {
  const value = choice && !('in' in choice) && !('period' in choice) ? choice[end] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns a span of days or numbers, or a period, in words. */
export function summarizeDates(choice: Exclude<FilterChoice, { readonly in: unknown }>, formats: Formats): string {
  if ('period' in choice) {
    const { period, n } = choice;
    const [words] = PERIODS.find(([, name]) => name === period) ?? [];
    return words === undefined ? period : formats.say(words, n ?? '');
  }
  const [from, to] = [choice.from, choice.to].map((end) => (end === undefined ? undefined : written(end, formats)));
  if (from === undefined) return formats.say('to {0}', to ?? '');
  return to === undefined ? formats.say('from {0}', from) : `${from} – ${to}`;
}

function written(end: string | number, formats: Formats): string {
  if (typeof end === 'number') return formats.number(end);
  const at = Date.parse(end);
  return Number.isNaN(at) ? end : formats.date(new Date(at), { dateStyle: 'medium', timeZone: 'UTC' });
}
