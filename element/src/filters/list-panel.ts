import { html, nothing, type TemplateResult } from 'lit';
import type { FilterChoice } from '../api/filter-state.ts';
import type { Formats } from '../formats.ts';
import type { Offer, OfferReader } from './offer.ts';

/** A list of more values has a search. */
const MANY_VALUES = 8;

/** Renders the values of a field as check boxes, with a search on the server where there are many. */
export function listPanel(
  reader: OfferReader,
  offer: Offer,
  choice: FilterChoice | undefined,
  choose: (choice: FilterChoice | undefined) => void,
  formats: Formats,
): TemplateResult {
  const { state } = reader;
  const chosen = choice && 'in' in choice ? choice.in : [];
  const found = state.status === 'ready' ? state.value : undefined;
  const isSearched = reader.text.trim() !== '';
  const known = new Map((isSearched ? [] : chosen).map((value) => [value, String(value)] as const));
  for (const { value, label } of [...offer.values, ...(found?.values ?? [])]) {
    if (known.has(value) || found?.values.some((each) => each.value === value)) known.set(value, label);
  }
  const toggle = (value: string | number | boolean): void => {
    const left = chosen.filter((each) => each !== value);
    const next = left.length < chosen.length ? left : [...chosen, value];
    choose(next.length === 0 ? undefined : { in: next });
  };
  const hasSearch = offer.truncated || offer.values.length > MANY_VALUES;
  return html`${
    hasSearch
      ? html`<input type="search" class="field" aria-label=${formats.say('Search values')} placeholder=${formats.say('Search values')} .value=${reader.text}
          @input=${({ currentTarget }: Event) => currentTarget instanceof HTMLInputElement && reader.search(currentTarget.value)}>`
      : nothing
  }<div class="options" role="group" aria-label=${offer.label} aria-busy=${String(state.status === 'loading')}>${[
    ...known,
  ].map(
    ([value, label]) =>
      html`<label class="option"><input type="checkbox" .checked=${chosen.includes(value)} @change=${() => toggle(value)}><span>${label}</span></label>`,
  )}</div><p class="panel-note" role="status">${noteOf(state.status, known.size, found?.truncated ?? false, formats)}</p>`;
}

function noteOf(status: string, count: number, hasMore: boolean, formats: Formats): string {
  if (status === 'loading') return formats.say('Loading…');
  if (status === 'failed') return formats.say('The values could not be read.');
  if (count === 0) return formats.say('No values found');
  return hasMore ? formats.say('Only the first {0}; search for others', formats.number(count)) : '';
}
