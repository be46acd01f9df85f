import { html, nothing, type TemplateResult } from 'lit';
import type { FilterChoice } from '../api/filter-state.ts';
import type { Formats } from '../formats.ts';
import type { FilterSpec, Host } from '../types.ts';
import { datePanel, summarizeDates } from './date-panel.ts';
import { listPanel } from './list-panel.ts';
import type { Offer, OfferReader } from './offer.ts';
import { openPanel } from './popover.ts';
import { rangePanel } from './range-panel.ts';

export interface ControlOptions {
  readonly spec: FilterSpec;
  readonly reader: OfferReader;
  readonly choice: FilterChoice | undefined;
  /** Chooses; undefined removes the choice. */
  readonly choose: (choice: FilterChoice | undefined) => void;
  readonly host: Host;
}

/** Renders the bar above a query. */
export function filterBar(
  controls: readonly TemplateResult[],
  clear: (() => void) | undefined,
  isPending: boolean,
  formats: Formats,
): TemplateResult {
  return html`<div class="filters ${isPending ? 'updating' : ''}" part="filters" role="group" aria-label=${formats.say('Filters')}>
    ${controls}${clear ? clearButton(clear, formats) : nothing}
  </div>`;
}

/** Describes values that the visitor clicked in a tile. */
export interface Chip {
  /** Title of the tile. */
  readonly label: string;
  readonly text: string;
  readonly remove: () => void;
}

/** Renders the line above a dashboard whose filters have choices. */
export function summaryView(chips: readonly Chip[], clear: () => void, formats: Formats): TemplateResult {
  return html`<div class="filters-summary" role="group" aria-label=${formats.say('Filters')}>${chips.map(
    ({ label, text, remove }) =>
      html`<button type="button" class="chip" part="filter-chip" title=${formats.say('Selected in {0}', label)} aria-label=${formats.say('Remove {0}', text)} @click=${remove}><span>${text}</span><i aria-hidden="true">×</i></button>`,
  )}${clearButton(clear, formats)}</div>`;
}

/** Renders the button that removes all choices. */
function clearButton(clear: () => void, formats: Formats): TemplateResult {
  return html`<button type="button" class="clear" part="filter-clear" @click=${clear}>${formats.say('Clear filters')}</button>`;
}

/** Renders one filter: a switch, or a button that opens its panel. */
export function filterControl(options: ControlOptions): TemplateResult {
  const { spec, reader, choice, choose, host } = options;
  const { formats } = host;
  const { state } = reader.whole;
  const offer = state.status === 'ready' ? state.value : undefined;
  const label = spec.title ?? offer?.label ?? (state.status === 'failed' ? spec.field : formats.say('Loading…'));
  if (state.status === 'failed')
    return html`<div class="filter failed" part="filter"><span class="filter-name">${label}</span><span class="filter-value">${formats.say('This filter is not available.')}</span></div>`;
  if (offer?.control === 'switch') {
    const isOn = choice !== undefined && 'in' in choice && choice.in.includes(true);
    return html`<button type="button" class="filter toggle-filter" part="filter" role="switch" aria-checked=${String(isOn)}
      aria-describedby=${drivesId(spec)} @click=${() => choose(isOn ? undefined : { in: [true] })}><span class="filter-name">${label}</span><i aria-hidden="true"></i></button>${drives(spec, formats)}`;
  }
  const id = `panel-${spec.id}`;
  const words = summary(offer, choice, formats);
  return html`<button type="button" class="filter ${choice ? 'chosen-filter' : ''}" part="filter" popovertarget=${id} ?disabled=${offer === undefined}
      aria-haspopup="dialog" aria-describedby=${drivesId(spec)}><span class="filter-name">${label}</span><span class="filter-value">${offer === undefined ? html`<i class="bone" aria-hidden="true"></i>` : words}</span></button>
    ${drives(spec, formats)}
    <div class="panel" part="filter-panel" popover id=${id} role="dialog" aria-label=${label} @beforetoggle=${openPanel}>
      ${offer === undefined ? nothing : panelBody(offer, options)}
      <div class="panel-foot"><span>${drivesWords(spec, formats) || nothing}</span><button type="button" class="clear" ?disabled=${choice === undefined}
        @click=${() => choose(undefined)}>${formats.say('Clear')}</button></div>
    </div>`;
}

function panelBody(offer: Offer, { reader, choice, choose, host: { formats } }: ControlOptions): TemplateResult {
  switch (offer.control) {
    case 'date':
      return datePanel(offer, choice, choose, formats);
    case 'range':
      return rangePanel(offer, choice, choose, formats);
    case 'switch':
    case 'list':
      return listPanel(reader, offer, choice, choose, formats);
  }
}

/** Returns the tiles that a filter narrows, in words; empty for the filter of a query. */
function drivesWords({ names }: FilterSpec, formats: Formats): string {
  return names.length === 0 ? '' : formats.say('Filters {0}', names.join(', '));
}

function drivesId(spec: FilterSpec): string | typeof nothing {
  return spec.names.length === 0 ? nothing : `drives-${spec.id}`;
}

function drives(spec: FilterSpec, formats: Formats): TemplateResult | typeof nothing {
  return spec.names.length === 0
    ? nothing
    : html`<span class="visually-hidden" id=${drivesId(spec)}>${drivesWords(spec, formats)}</span>`;
}

/** Returns the choice in a few words. */
function summary(offer: Offer | undefined, choice: FilterChoice | undefined, formats: Formats): string {
  if (choice === undefined) return formats.say('All');
  if (!('in' in choice)) return summarizeDates(choice, formats);
  const names = choice.in.map((value) => offer?.values.find((each) => each.value === value)?.label ?? String(value));
  const shown = names.slice(0, 2).join(', ');
  return names.length > 2 ? formats.say('{0} and {1} more', shown, names.length - 2) : shown;
}
