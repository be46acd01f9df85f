import { html, type TemplateResult } from 'lit';
import type { FilterChoice } from '../api/filter-state.ts';
import type { Formats } from '../formats.ts';
import type { Offer } from './offer.ts';

/** Renders the two ends of a range of numbers. */
export function rangePanel(
  { range }: Offer,
  choice: FilterChoice | undefined,
  choose: (choice: FilterChoice | undefined) => void,
  formats: Formats,
): TemplateResult {
  const ends: { readonly from?: string | number; readonly to?: string | number } =
    choice === undefined || 'in' in choice || 'period' in choice ? {} : choice;
  const set = (end: 'from' | 'to', input: HTMLInputElement): void => {
    const { [end]: _, ...other } = ends;
    const next = input.value === '' ? other : { ...other, [end]: input.valueAsNumber };
    choose(Object.keys(next).length === 0 ? undefined : next);
  };
  const field = (end: 'from' | 'to', label: string, hint: string): TemplateResult =>
    html`<label class="end">${label}<input type="number" class="field" step="any" placeholder=${hint} .value=${String(ends[end] ?? '')}
      @change=${({ currentTarget }: Event) => currentTarget instanceof HTMLInputElement && set(end, currentTarget)}></label>`;
  const isCrossed = Number(ends.from) > Number(ends.to);
  return html`<div class="ends">${field('from', formats.say('At least'), shown(range?.least, formats))}${field('to', formats.say('At most'), shown(range?.greatest, formats))}</div>
    <p class="panel-note" role="status">${isCrossed ? formats.say('The first value is after the last.') : ''}</p>`;
}

function shown(value: string | undefined, formats: Formats): string {
  const number = Number(value);
  return value === undefined || Number.isNaN(number) ? '' : formats.number(number);
}
