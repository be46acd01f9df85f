import { html, type TemplateResult } from 'lit';
import type { Formats } from '../formats.ts';

export interface CalendarOptions {
  /** The chosen days, as `2025-01-31`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The first and the last day with data. */
  readonly least: string | undefined;
  readonly greatest: string | undefined;
  readonly choose: (from: string | undefined, to: string | undefined) => void;
  readonly formats: Formats;
}

/**
 * Renders the first and the last day of a span. The browser's own calendar opens at each: it speaks the visitor's
 * language, and works with a keyboard, a screen reader and a finger.
 */
export function calendar({ from, to, least, greatest, choose, formats }: CalendarOptions): TemplateResult {
  const day = (label: string, value: string | undefined, set: (day: string | undefined) => void): TemplateResult =>
    html`<label class="end">${label}<input type="date" class="field" .value=${value ?? ''} min=${least ?? ''} max=${greatest ?? ''}
      @change=${({ currentTarget }: Event) => currentTarget instanceof HTMLInputElement && set(currentTarget.value || undefined)}></label>`;
  const isCrossed = from !== undefined && to !== undefined && from > to;
  return html`<div class="ends">${day(formats.say('From'), from, (next) => choose(next, to))}${day(formats.say('To'), to, (next) => choose(from, next))}</div>
    <p class="panel-note" role="status">${isCrossed ? formats.say('The first value is after the last.') : ''}</p>`;
}
