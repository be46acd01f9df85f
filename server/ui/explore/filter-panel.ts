import { css, html, LitElement, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { RELATIVE_PERIOD_NAMES, RELATIVE_PERIODS } from '../../../router/relative-periods.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { panelStyles } from './panel-styles.ts';
import { type FoundValue, searchValues } from './requests.ts';
import type { Catalog, Thing } from './state/catalog.ts';
import {
  type Condition,
  type ConditionKind,
  readCondition,
  referenceOf,
  withKind,
  writeCondition,
} from './state/condition.ts';
import { findThing } from './state/find-thing.ts';
import { compact, type Item, itemsOf, type JsonValue } from './state/json-value.ts';
import { type Captions, grainWords, itemWords, labelOf, memberWords, relativeWords } from './state/words.ts';

/** Pause after a keystroke before a running search is given up for the next one. */
const SETTLE_MS = 150;
/** Values that one search shows. */
const SHOWN_VALUES = 50;

const number = new Intl.NumberFormat(language);

/** What a search asks for: values of a field that contain a text. */
interface Search {
  /** The reference to the field, as JSON. */
  readonly field: string;
  readonly query: string;
}

/** The values that a search found. */
interface Found extends Search {
  readonly values: readonly FoundValue[];
}

function isSame(left: Search, right: Search): boolean {
  return left.field === right.field && left.query === right.query;
}

/** Returns the values that fit a search: all of its own; of an earlier one of the field, the ones that contain the text, until its own is answered. */
function fitting(found: Found, wanted: Search): readonly FoundValue[] {
  if (found.field !== wanted.field) return [];
  if (found.query === wanted.query) return found.values;
  const text = wanted.query.toLowerCase();
  return found.values.filter(({ label }) => label.toLowerCase().includes(text));
}

type Choice = readonly [kind: ConditionKind, op: string, label: string];

const EMPTY: readonly Choice[] = [
  ['empty', '', msg('is empty')],
  ['present', '', msg('is not empty')],
];
const COMPARISONS: readonly Choice[] = [
  ['compare', 'GTE', msg('at least')],
  ['compare', 'GT', msg('more than')],
  ['compare', 'LTE', msg('at most')],
  ['compare', 'LT', msg('less than')],
];
const IS: readonly Choice[] = [
  ['is', '', msg('is one of')],
  ['not', '', msg('is not one of')],
];
const BETWEEN: Choice = ['between', '', msg('is between')];

/** Shows one filter: how it tests, and its values from the server. Fires `filter-change` with another filter. */
export class FilterPanel extends LitElement {
  static override properties = {
    item: { attribute: false },
    catalog: { attribute: false },
    captions: { attribute: false },
    query: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      :host { display: grid; gap: 12px; }
      .values { overflow: auto; max-height: 240px; margin: 8px -8px 0; }
      .values label { display: flex; align-items: center; gap: 8px; min-height: 30px; padding: 2px 8px; border-radius: 6px; cursor: pointer; }
      .values label:hover { background: var(--sunken); }
      .values input { flex: none; width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
      .values span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .value { display: flex; align-items: center; padding-inline-end: 8px; border-radius: 6px; }
      .value:hover { background: var(--sunken); }
      .value label { flex: 1; min-width: 0; }
      .value small { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
      .values .chosen { font-weight: 600; }
      .values p { padding: 6px 8px; color: var(--muted); font-size: 13px; }
      .per { display: flex; flex-wrap: wrap; gap: 6px; }
      .per .button { min-height: 28px; padding: 0 8px; font-size: 13px; }
    `,
  ];

  declare item: Item;
  declare catalog: Catalog | undefined;
  /** Captions of members that the explorer knows. Fires `members-named` with the members that a search finds. */
  declare captions: Captions;
  declare query: string;
  readonly #found = new RemoteData<Found>(this);
  /** The search that the panel shows or waits for, and the one that runs. */
  #wanted: Search | undefined;
  #searched: Search | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.item = {};
    this.catalog = undefined;
    this.captions = new Map();
    this.query = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#waiting);
  }

  get #reference() {
    return referenceOf(this.item);
  }

  get #search(): Search {
    return { field: JSON.stringify(this.#reference), query: this.query };
  }

  #set(condition: Condition): void {
    this.dispatchEvent(new CustomEvent('filter-change', { detail: writeCondition(this.#reference, condition) }));
  }

  protected override updated(): void {
    const kind = readCondition(this.item)?.kind;
    if (!this.catalog || !needsValues(kind, this.#thing)) return;
    const search = this.#search;
    if (this.#wanted !== undefined && isSame(this.#wanted, search)) return;
    this.#wanted = search;
    clearTimeout(this.#waiting);
    // A keystroke is searched at once. While a search runs, the next one waits for its end or for a pause, so that typing is one query at a time.
    if (this.#found.isBusy) this.#waiting = setTimeout(() => void this.#run(), SETTLE_MS);
    else void this.#run();
  }

  async #run(): Promise<void> {
    const { catalog } = this;
    const search = this.#wanted;
    if (!catalog || !search) return;
    this.#searched = search;
    const state = await this.#found.read(async (signal) => {
      const { query } = search;
      const values = searchValues(session.client, catalog, this.#reference, { q: query, limit: SHOWN_VALUES }, signal);
      return { ...search, values: await values };
    });
    // A later search has taken the place of this one.
    if (this.#searched !== search) return;
    if (this.#wanted !== search) {
      clearTimeout(this.#waiting);
      void this.#run();
    }
    if (state.status === 'failed') session.reportFailure(state.cause);
    if (state.status === 'ready' && catalog.surface === 'cube')
      this.dispatchEvent(
        new CustomEvent<readonly (readonly [string, string])[]>('members-named', {
          detail: state.value.values.map(({ value, label }) => [String(value), label]),
          bubbles: true,
          composed: true,
        }),
      );
  }

  get #thing(): Thing | undefined {
    return this.catalog ? findThing(this.#reference, this.catalog) : undefined;
  }

  #choices(): readonly Choice[] {
    const thing = this.#thing;
    if (this.catalog?.surface === 'cube') {
      const within: readonly Choice[] = [['within', '', msg('is within')], BETWEEN];
      return [...IS, ...within, ...(thing?.type === 'date' ? [['relative', '', msg('in the period')] as const] : [])];
    }
    if ('metric' in this.#reference)
      return [
        ...COMPARISONS,
        BETWEEN,
        ['compare', 'EQ', msg('equals')],
        ['compare', 'NEQ', msg('differs from')],
        ...EMPTY,
      ];
    switch (thing?.type) {
      case 'date':
        return [
          ['relative', '', msg('in the period')],
          BETWEEN,
          ['compare', 'GTE', msg('since')],
          ['compare', 'LT', msg('before')],
          ...IS,
          ...EMPTY,
        ];
      case 'number':
        return [BETWEEN, ...COMPARISONS, ...IS, ...EMPTY];
      default:
        return [...IS, ...EMPTY];
    }
  }

  #kinds(condition: Condition) {
    const op = condition.kind === 'compare' ? condition.op : '';
    return html`<select aria-label=${msg('How to compare')} @change=${(event: Event) => {
      const chosen =
        event.target instanceof HTMLSelectElement ? this.#choices()[event.target.selectedIndex] : undefined;
      if (chosen !== undefined) this.#set(withKind(condition, chosen[0], chosen[1] || undefined));
    }}>${this.#choices().map(
      ([kind, each, label]) =>
        html`<option .selected=${kind === condition.kind && (kind !== 'compare' || each === op)}>${label}</option>`,
    )}</select>`;
  }

  #picked(condition: Extract<Condition, { readonly values: readonly JsonValue[] }>) {
    const chosen = new Set(condition.values.map(String));
    const toggle = (value: JsonValue, isOn: boolean) => {
      const values = isOn ? [...condition.values, value] : condition.values.filter((each) => each !== value);
      this.#set({ ...condition, values });
    };
    const { state, isBusy } = this.#found;
    const search = this.#search;
    const isAnswered = state.status === 'ready' && isSame(state.value, search);
    const found = state.status === 'ready' ? fitting(state.value, search) : [];
    const counts = new Map(found.map(({ value, count }) => [String(value), count]));
    const first =
      this.query === ''
        ? condition.values.map((value) => ({
            value,
            label: memberWords(value, this.captions),
            count: counts.get(String(value)),
          }))
        : [];
    const others = found.filter(({ value }) => this.query !== '' || !chosen.has(String(value)));
    const line = ({ value, label, count }: FoundValue, at: number) => {
      const isChosen = chosen.has(String(value));
      const rows = count === undefined ? '' : number.format(count);
      return html`<div class="value"><label><input type="checkbox" .checked=${live(isChosen)} aria-describedby=${rows === '' ? nothing : `rows-${at}`} @change=${(event: Event) => toggle(value, event.target instanceof HTMLInputElement && event.target.checked)}><span class=${isChosen ? 'chosen' : ''} title=${label}>${label}</span></label>${rows === '' ? nothing : html`<small id="rows-${at}" title=${msg(str`${rows} rows`)}>${rows}</small>`}</div>`;
    };
    const isDate = this.#thing?.type === 'date' && this.catalog?.surface === 'semantic';
    return html`<div>
        <input class="field" type="search" aria-label=${msg('Search values')} placeholder=${msg('Search values')} autocomplete="off" .value=${this.query} @input=${(
          event: Event,
        ) => {
          if (event.target instanceof HTMLInputElement) this.query = event.target.value;
        }} @keydown=${(event: KeyboardEvent) => {
          // A value that the search does not show can be typed.
          if (event.key === 'Enter' && this.query !== '' && isDate) toggle(this.query, true);
        }}>
        <div class="values" role="group" aria-label=${msg('Values')} aria-busy=${isBusy}>
          ${repeat([...first, ...others], ({ value }) => String(value), line)}
          ${state.status === 'failed' ? html`<p role="alert">${state.message}</p>` : nothing}
          ${isAnswered && first.length + others.length === 0 ? html`<p>${msg('No such value.')}</p>` : nothing}
          ${state.status === 'loading' ? html`<p>${msg('Loading…')}</p>` : nothing}
          ${state.status === 'ready' && !isAnswered ? html`<p>${msg('Searching…')}</p>` : nothing}
          ${isAnswered && found.length >= SHOWN_VALUES ? html`<p>${msg(str`The first ${SHOWN_VALUES}. Type to find others.`)}</p>` : nothing}
        </div>
        ${
          (condition.kind === 'is' || condition.kind === 'not') && this.catalog?.surface === 'semantic'
            ? html`<label class="values" .style=${'display: block; margin: 0 -8px'}><label><input type="checkbox" .checked=${live(condition.orEmpty)} @change=${(event: Event) => this.#set({ ...condition, orEmpty: event.target instanceof HTMLInputElement && event.target.checked })}><span>${condition.kind === 'is' ? msg('or empty') : msg('keep rows without a value')}</span></label></label>`
            : nothing
        }</div>`;
  }

  #input(value: JsonValue, label: string, change: (value: JsonValue) => void) {
    const type = this.#thing?.type;
    const isDate = type === 'date' && this.catalog?.surface === 'semantic';
    const isNumber = type === 'number' || type === 'metric';
    return html`<input class="field" type=${isDate ? 'date' : 'text'} inputmode=${isNumber ? 'decimal' : nothing} aria-label=${label} placeholder=${label} .value=${String(value)} @change=${(
      event: Event,
    ) => {
      if (!(event.target instanceof HTMLInputElement)) return;
      const text = event.target.value.trim();
      change(isNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text);
    }}>`;
  }

  #relative(condition: Extract<Condition, { readonly kind: 'relative' }>) {
    const { period, n } = condition;
    const facts = RELATIVE_PERIOD_NAMES.find((name) => name === period);
    const takesNumber = facts !== undefined && RELATIVE_PERIODS[facts].n !== 'refused';
    const grains = (this.#thing?.grains ?? []).filter((grain) => !grain.includes('_of_'));
    const set = (next: string, count: number | undefined, grain: string | undefined) => {
      const name = RELATIVE_PERIOD_NAMES.find((each) => each === next);
      const rule = name === undefined ? 'refused' : RELATIVE_PERIODS[name].n;
      this.#set({
        kind: 'relative',
        period: next,
        n: rule === 'refused' ? undefined : (count ?? (rule === 'required' ? 12 : undefined)),
        grain: next === 'previous_period' ? (grain ?? 'month') : undefined,
      });
    };
    const presets: readonly (readonly [string, number | undefined, string | undefined])[] = [
      ['last_n_days', 30, undefined],
      ['last_n_months', 12, undefined],
      ['last_n_months', 24, undefined],
      ['last_n_years', 1, undefined],
      ['ytd', undefined, undefined],
      ['qtd', undefined, undefined],
      ['mtd', undefined, undefined],
      ...(this.catalog?.surface === 'semantic'
        ? ([
            ['previous_period', undefined, 'month'],
            ['previous_period', undefined, 'quarter'],
            ['previous_period', undefined, 'year'],
          ] as const)
        : []),
    ];
    return html`<div class="choices">${presets.map(
      ([name, count, grain]) =>
        html`<label class="choice"><input type="radio" name="period" .checked=${name === period && count === n && grain === condition.grain} @change=${() => set(name, count, grain)}><span>${relativeWords(name, count, grain)}</span></label>`,
    )}</div>
      <div class="pair"><select aria-label=${msg('Period')} @change=${(event: Event) => {
        if (event.target instanceof HTMLSelectElement) set(event.target.value, n, condition.grain);
      }}><option value="" .selected=${period === ''}>${msg('choose')}</option>${RELATIVE_PERIOD_NAMES.map(
        (name) => html`<option value=${name} .selected=${name === period}>${periodTitle(name)}</option>`,
      )}</select>
      ${
        takesNumber
          ? html`<input class="field" type="number" min="1" max="10000" step="1" aria-label=${msg('How many')} .value=${n === undefined ? '1' : String(n)} @change=${(
              event: Event,
            ) => {
              const count = event.target instanceof HTMLInputElement ? Math.trunc(event.target.valueAsNumber) : 0;
              if (count >= 1) set(period, count, condition.grain);
            }}>`
          : nothing
      }</div>
      ${
        period === 'previous_period' && grains.length > 0
          ? html`<select aria-label=${msg('Unit')} @change=${(event: Event) => {
              if (event.target instanceof HTMLSelectElement) set(period, n, event.target.value);
            }}>${grains.map((grain) => html`<option value=${grain} .selected=${grain === condition.grain}>${grainWords(grain)}</option>`)}</select>`
          : nothing
      }`;
  }

  #per() {
    const { catalog } = this;
    if (!catalog) return nothing;
    const per = itemsOf(this.item, 'per');
    const fields = catalog.groups.flatMap(({ things }) => things.filter(({ type }) => type !== 'metric')).slice(0, 500);
    const change = (items: readonly Item[]) =>
      this.dispatchEvent(
        new CustomEvent('filter-change', {
          detail: compact({
            ...this.item,
            per: items.length === 0 ? undefined : items,
            filters: items.length === 0 ? undefined : this.item.filters,
          }),
        }),
      );
    return html`<fieldset><legend>${msg('Computed for each')}</legend><div class="per">${per.map(
      (item, at) =>
        html`<button class="button" type="button" @click=${() => change(per.toSpliced(at, 1))} aria-label=${msg(str`Remove ${labelOf(item, catalog)}`)}>${itemWords('rows', item, catalog)} ×</button>`,
    )}<select aria-label=${msg('Add a field')} @change=${(event: Event) => {
      const chosen = event.target instanceof HTMLSelectElement ? catalog.byKey.get(event.target.value) : undefined;
      if (event.target instanceof HTMLSelectElement) event.target.value = '';
      if (chosen !== undefined) change([...per, chosen.item]);
    }}><option value="">${per.length === 0 ? msg('group of the answer') : msg('add a field')}</option>${fields.map((thing) => html`<option value=${thing.key}>${thing.label}</option>`)}</select></div></fieldset>`;
  }

  protected override render() {
    const condition = readCondition(this.item);
    if (condition === undefined)
      return html`<p class="muted">${msg('This group of filters was typed. Change it in the request below the answer.')}</p>`;
    return html`${this.#kinds(condition)}
      ${'values' in condition ? this.#picked(condition) : nothing}
      ${
        condition.kind === 'between'
          ? html`<div class="pair" .style=${'margin: 0'}>${this.#input(condition.from, msg('from'), (from) => this.#set({ ...condition, from }))}${this.#input(condition.to, msg('to'), (to) => this.#set({ ...condition, to }))}</div>`
          : nothing
      }
      ${condition.kind === 'compare' ? this.#input(condition.value, msg('value'), (value) => this.#set({ ...condition, value })) : nothing}
      ${condition.kind === 'relative' ? this.#relative(condition) : nothing}
      ${'metric' in this.#reference ? this.#per() : nothing}
`;
  }
}

/** Returns whether a kind of condition lists values to choose from. */
function needsValues(kind: ConditionKind | undefined, thing: Thing | undefined): boolean {
  return (kind === 'is' || kind === 'not' || kind === 'within') && thing !== undefined && thing.type !== 'metric';
}

/** Names a kind of period where its number is chosen beside it. */
function periodTitle(name: string): string {
  const many: Readonly<Record<string, string>> = {
    last_n_days: msg('last … days'),
    last_n_months: msg('last … months'),
    last_n_quarters: msg('last … quarters'),
    last_n_years: msg('last … years'),
    previous_period: msg('previous …'),
  };
  return many[name] ?? relativeWords(name, undefined, undefined);
}

customElements.define('ui-filter-panel', FilterPanel);
