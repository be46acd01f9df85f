import { css, html, LitElement, nothing } from 'lit';
import { type Anchor, Popover } from '../parts/popover.ts';
import { MODE_CHOICES } from '../share/appearance.ts';
import '../parts/popover.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { type Answered, isBusy, type RunState } from './answer-run.ts';
import { exploreEvent } from './events.ts';
import './mark-menu.ts';
import { embedLocale, language, msg, str } from '../words/words.ts';
import { panelStyles } from './panel-styles.ts';
import { askAnswer } from './requests.ts';
import { rawValue } from './rows-behind.ts';
import { setAnalytics, setView } from './state/actions.ts';
import type { Catalog } from './state/catalog.ts';
import { type Draft, isAsking, type RenderName } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import { isJsonObject, type JsonObject, numberOf, textOf } from './state/json-value.ts';
import type { Mark, MarkPart } from './state/marks.ts';
import { chartSettings, proposeRender, timeAxisOf } from './state/propose-view.ts';
import { titleOf } from './state/title.ts';
import { labelOf } from './state/words.ts';

const RENDERS: readonly (readonly [RenderName, string])[] = [
  ['table', msg('Table')],
  ['matrix', msg('Matrix')],
  ['chart', msg('Chart')],
  ['kpi', msg('Number')],
];

/** A selected row or point, as the element reports it. */
interface SelectDetail {
  readonly row: number;
  readonly column: string | undefined;
  readonly record: Readonly<Record<string, string | null>>;
}

interface EmbedElement extends Element {
  exportCsv(): Promise<Blob>;
  exportImage(options: { readonly type: 'png' | 'svg' }): Promise<Blob>;
}

function isEmbed(element: Element | null): element is EmbedElement {
  return element !== null && 'exportCsv' in element && 'exportImage' in element;
}

/** Shows the answer by the element's views, and what can be done with it. */
export class AnswerView extends LitElement {
  static override properties = {
    draft: { attribute: false },
    catalog: { attribute: false },
    state: { attribute: false },
    mark: { state: true },
    exported: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; font: 14px / 20px var(--body); }
      .bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 10px 16px; border-bottom: 1px solid var(--line); }
      .views { display: inline-flex; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
      .views .choice span { padding: 5px 12px; border: 0; border-radius: 0; border-inline-end: 1px solid var(--line); }
      .views .choice:last-child span { border-inline-end: 0; }
      .views .choice input:focus-visible + span { outline-offset: -2px; }
      .bar select { width: auto; max-width: 160px; height: 32px; font-size: 13px; }
      .bar .button { min-height: 32px; padding: 0 10px; font-size: 13px; }
      .bar .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent-strong); }
      .facts { margin-inline-start: auto; color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
      .progress { position: relative; height: 2px; overflow: hidden; background: transparent; }
      .progress i { position: absolute; inset-block: 0; width: 30%; background: var(--accent); animation: run 1.1s linear infinite; }
      @keyframes run { from { left: -30%; } to { left: 100%; } }
      @media (prefers-reduced-motion: reduce) { .progress i { width: 100%; animation: none; } }
      .surface { position: relative; flex: 1; overflow: hidden; min-height: 0; padding: 12px 16px; }
      .surface.old service-embed { opacity: 0.55; }
      service-embed { display: block; height: 100%; --service-embed-bg: var(--paper); --service-embed-tile-bg: var(--paper); }
      service-embed::part(surface) { border: 0; }
      .over { position: absolute; inset-inline: 16px; top: 16px; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; justify-content: center; width: fit-content; margin-inline: auto; padding: 6px 8px 6px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); box-shadow: var(--shade); font-size: 13px; }
      .over .button { min-height: 28px; padding: 0 10px; font-size: 13px; }
      .empty { display: grid; place-content: center; justify-items: center; gap: 10px; min-height: 320px; padding: 24px; text-align: center; color: var(--muted); }
      .empty h2 { color: var(--ink); font-size: 20px; }
      .empty p { max-width: 46ch; }
      .failed { margin: 12px 16px 0; padding: 12px 16px; border: 1px solid var(--bad); border-radius: 8px; background: var(--bad-wash); }
      .bone { height: min(420px, 50vh); }
      .menu { display: grid; min-width: 200px; padding: 6px; }
      .menu button { min-height: 32px; padding: 0 10px; border: 0; border-radius: 6px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
      .menu button:hover { background: var(--sunken); }
      @media (max-width: 600px) { .facts { flex-basis: 100%; margin-inline-start: 0; } .bar { padding-inline: 12px; } .surface { padding-inline: 12px; } }
    `,
  ];

  declare draft: Draft | undefined;
  declare catalog: Catalog | undefined;
  /** Of the run that answers the draft. Fires `run-cancel` and `run-again`. */
  declare state: RunState;
  declare mark: Mark | undefined;
  declare exported: string;
  /** The reader of the shown answer; another answer has another one. */
  #reader:
    | { readonly of: Answered; readonly read: (signal: AbortSignal, more?: object) => Promise<unknown> }
    | undefined;
  #pointer: { readonly x: number; readonly y: number } | undefined;

  constructor() {
    super();
    this.draft = undefined;
    this.catalog = undefined;
    this.state = { phase: 'idle', answered: undefined, failure: undefined };
    this.mark = undefined;
    this.exported = '';
  }

  protected override willUpdate(): void {
    this.toggleAttribute('busy', isBusy(this.state));
  }

  #edit(draft: Draft): void {
    this.dispatchEvent(exploreEvent('explore-edit', draft));
  }

  /** Returns the chosen view, else the proposed one. */
  get shownRender(): RenderName {
    const { draft } = this;
    const { answered } = this.state;
    if (draft?.view.render !== undefined) return draft.view.render;
    if (!draft || !answered) return 'table';
    const { columns, records } = answered.answer;
    return proposeRender({ columns, rows: records.length }, answered.draft);
  }

  /** Returns the settings of the shown chart: the chosen ones over the proposed. */
  get shownChart(): JsonObject {
    const { draft, catalog } = this;
    const { answered } = this.state;
    if (!draft || !answered) return {};
    const items = [...answered.draft.rows, ...answered.draft.columns];
    const hasTime = catalog !== undefined && items.some((item) => findThing(item, catalog)?.type === 'date');
    return chartSettings({ ...answered.draft, view: draft.view }, hasTime);
  }

  #readerOf(answered: Answered) {
    if (this.#reader?.of === answered) return this.#reader.read;
    const title = this.catalog ? titleOf(answered.draft, this.catalog) : '';
    const read = async (signal: AbortSignal, more?: object): Promise<unknown> => {
      if (more === undefined) return answered.answer.json;
      return (await askAnswer(session.client, answered.draft, title, signal, { ...more })).json;
    };
    this.#reader = { of: answered, read };
    return read;
  }

  async #selected(event: CustomEvent<SelectDetail>): Promise<void> {
    const { catalog } = this;
    const { answered } = this.state;
    if (!answered || !catalog) return;
    const { row, column, record } = event.detail;
    const cells = answered.answer.records[row];
    if (cells === undefined) return;
    const { columns } = answered.answer;
    const items = [...answered.draft.rows, ...answered.draft.columns];
    const dimensions = columns.filter(({ type }) => type === 'dimension');
    // Each item of the request is one column, in their order.
    if (dimensions.length !== items.length) return;
    const all = dimensions.flatMap(({ key }, index): MarkPart[] => {
      const item = items[index];
      if (item === undefined) return [];
      return [{ item, label: labelOf(item, catalog), value: rawValue(cells[key]), text: record[key] ?? msg('empty') }];
    });
    const clicked = dimensions.findIndex(({ key }) => key === column);
    const [part] = clicked < 0 ? [] : all.slice(clicked, clicked + 1);
    const isTable = this.shownRender === 'table' || this.shownRender === 'matrix';
    const metric = columns.find(({ key, type }) => key === column && type === 'metric');
    const value = answered.draft.values.findIndex(
      (each) => (textOf(each, 'metric') ?? textOf(each, 'name')) === column,
    );
    this.mark = {
      parts: isTable && part !== undefined ? [part] : all,
      value: Math.max(0, value),
      figure: metric === undefined ? '' : `${metric.label}: ${record[metric.key] ?? '–'}`,
    };
    await this.updateComplete;
    const embed = this.#embed;
    const box = embed?.getBoundingClientRect();
    const at = this.#pointer ?? { x: (box?.left ?? 0) + 40, y: (box?.top ?? 0) + 40 };
    const anchor: Anchor = { left: at.x, right: at.x, top: at.y, bottom: at.y };
    await this.#popover('mark')?.open(anchor, embed instanceof HTMLElement ? embed : undefined);
  }

  get #embed(): Element | null {
    return this.renderRoot.querySelector('service-embed');
  }

  #popover(name: string): Popover | undefined {
    const popover = this.renderRoot.querySelector(`#${name}`);
    return popover instanceof Popover ? popover : undefined;
  }

  async #export(kind: 'csv' | 'png' | 'svg'): Promise<void> {
    this.#popover('export')?.close();
    const embed = this.#embed;
    if (!isEmbed(embed) || !this.catalog || !this.draft) return;
    try {
      const blob = await (kind === 'csv' ? embed.exportCsv() : embed.exportImage({ type: kind }));
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = `${titleOf(this.draft, this.catalog)
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .slice(0, 80)
        .toLowerCase()}.${kind}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      this.exported = msg(str`Exported as ${kind.toUpperCase()}.`);
    } catch {
      this.exported = msg('There is nothing to export yet.');
    }
  }

  #analysis(kind: 'forecast' | 'anomaly', timeAxis: string): void {
    const { draft } = this;
    if (!draft) return;
    if (draft.analytics?.kind === kind) {
      this.#edit(setAnalytics(draft, undefined));
      return;
    }
    const analysed = setAnalytics(draft, { kind, timeAxis });
    // Only charts draw what an analysis finds.
    this.#edit(this.shownRender === 'chart' ? analysed : setView(analysed, { ...draft.view, render: 'chart' }));
  }

  #bar() {
    const { draft, catalog } = this;
    const { answered } = this.state;
    if (!draft || !catalog) return nothing;
    const shown = this.shownRender;
    const { view } = draft;
    const items = answered === undefined ? [] : [...answered.draft.rows, ...answered.draft.columns];
    const timeAxis =
      answered === undefined
        ? undefined
        : timeAxisOf(answered.answer, (position) => {
            const item = items[position];
            return catalog.surface === 'cube' && item !== undefined && findThing(item, catalog)?.type === 'date';
          });
    const horizon = numberOf(draft.analytics ?? {}, 'horizon');
    return html`<div class="bar">
      <div class="views" role="radiogroup" aria-label=${msg('View')}>${RENDERS.map(
        ([name, label]) =>
          html`<label class="choice"><input type="radio" name="render" .checked=${shown === name} @click=${() => view.render !== name && this.#edit(setView(draft, { ...view, render: name }))}><span>${label}</span></label>`,
      )}</div>
      ${
        shown === 'chart'
          ? html`<select aria-label=${msg('Kind of chart')} @change=${(event: Event) => {
              const mode =
                event.target instanceof HTMLSelectElement
                  ? MODE_CHOICES[event.target.selectedIndex - 1]?.[0]
                  : undefined;
              this.#edit(setView(draft, { ...view, render: 'chart', mode }));
            }}><option value="" .selected=${view.mode === undefined}>${msg('Proposed')}</option>${MODE_CHOICES.map(
              ([mode, title]) => html`<option value=${mode} .selected=${mode === view.mode}>${title}</option>`,
            )}</select>`
          : nothing
      }
      ${shown === 'kpi' ? nothing : html`<button class="button" type="button" aria-haspopup="dialog" @click=${(event: Event) => this.#settings(event)}>${msg('Settings')}</button>`}
      ${
        view.render === undefined && view.mode === undefined && view.chart === undefined
          ? nothing
          : html`<button class="link" type="button" @click=${() => this.#edit(setView(draft, {}))}>${msg('As proposed')}</button>`
      }
      ${
        timeAxis === undefined || answered === undefined || answered.draft.values.length === 0
          ? nothing
          : html`<button class="button" type="button" aria-pressed=${draft.analytics?.kind === 'forecast'} @click=${() => this.#analysis('forecast', timeAxis)}>${msg('Forecast')}</button>
            ${
              draft.analytics?.kind === 'forecast'
                ? html`<select aria-label=${msg('How far ahead')} @change=${(event: Event) => {
                    const ahead = event.target instanceof HTMLSelectElement ? Number(event.target.value) : 0;
                    this.#edit(setAnalytics(draft, { ...draft.analytics, horizon: ahead || undefined }));
                  }}>${[0, 3, 6, 12, 24].map((ahead) => html`<option value=${ahead} .selected=${(horizon ?? 0) === ahead}>${ahead === 0 ? msg('as far as usual') : msg(str`${ahead} ahead`)}</option>`)}</select>`
                : nothing
            }
            <button class="button" type="button" aria-pressed=${draft.analytics?.kind === 'anomaly'} @click=${() => this.#analysis('anomaly', timeAxis)}>${msg('Anomalies')}</button>`
      }
      <button class="button" type="button" aria-haspopup="dialog" ?disabled=${answered === undefined} @click=${(
        event: Event,
      ) => {
        if (event.currentTarget instanceof HTMLElement) void this.#popover('export')?.open(event.currentTarget);
      }}>${msg('Export')}</button>
      <span class="facts">${answered === undefined ? nothing : this.#facts(answered)}</span>
    </div>`;
  }

  #facts({ answer: { records }, took }: Answered) {
    const count = new Intl.NumberFormat(language).format(records.length);
    return html`${records.length === 1 ? msg('1 row') : msg(str`${count} rows`)} · ${took} ms`;
  }

  async #settings(event: Event): Promise<void> {
    const anchor = event.currentTarget;
    await import('./chart-settings-panel.ts');
    if (anchor instanceof HTMLElement) await this.#popover('settings')?.open(anchor);
  }

  #content() {
    const { draft, catalog } = this;
    const { phase, answered, failure } = this.state;
    if (!draft || !catalog) return html`<div class="surface"><div class="bone"></div></div>`;
    if (!isAsking(draft) && answered === undefined)
      return html`<div class="empty"><h2>${msg('What do you want to know?')}</h2><p>${
        catalog.surface === 'cube'
          ? msg('Choose a measure on the left, then a level to split it by.')
          : msg('Choose a metric on the left, then a field to split it by.')
      }</p><p>${msg('Click, drag, or press a key: r for rows, c for columns, v for values, f for a filter.')}</p></div>`;
    const isLate = phase === 'late' || phase === 'slow';
    const isOld = isLate || phase === 'stopped' || failure !== undefined;
    return html`
      ${failure?.problems.every(({ field }) => !/^source\.request\.\w+\[/.test(field)) ? html`<div class="failed" role="alert">${failure.message}</div>` : nothing}
      <div class="progress">${isLate ? html`<i></i>` : nothing}</div>
      <div class="surface ${answered !== undefined && isOld ? 'old' : ''}" @pointerdown=${(event: PointerEvent) => {
        this.#pointer = { x: event.clientX, y: event.clientY };
      }} @keydown=${() => {
        this.#pointer = undefined;
      }}>
        ${
          isLate
            ? html`<div class="over"><span role="status">${phase === 'slow' ? msg(str`Waiting for the warehouse of ${catalog.title}…`) : msg('Running…')}</span><button class="button" type="button" @click=${() => this.dispatchEvent(new Event('run-cancel'))}>${msg('Cancel')}</button></div>`
            : phase === 'stopped'
              ? html`<div class="over"><span role="status">${msg('Stopped.')}</span><button class="button" type="button" @click=${() => this.dispatchEvent(new Event('run-again'))}>${msg('Run again')}</button></div>`
              : nothing
        }
        ${answered === undefined ? (failure === undefined ? html`<div class="bone"></div>` : nothing) : this.#shown(answered, draft)}
      </div>`;
  }

  #shown(answered: Answered, draft: Draft) {
    const render = this.shownRender;
    const [value] = answered.draft.values;
    const metric = value === undefined ? undefined : (textOf(value, 'metric') ?? textOf(value, 'name'));
    const compare = value !== undefined && isJsonObject(value.compare) ? `${metric ?? ''}.base` : undefined;
    return html`<service-embed path="explore" height="100%" .locale=${embedLocale} .reader=${this.#readerOf(answered)} render=${render}
      .mode=${draft.view.mode ?? null} .chart=${JSON.stringify(this.shownChart)}
      .measure=${metric ?? null} .compare=${compare ?? null}
      @service-select=${this.#selected}></service-embed>`;
  }

  protected override render() {
    const { draft, catalog } = this;
    const isChart = this.shownRender === 'chart';
    return html`${this.#bar()}${this.#content()}
      <ui-popover id="mark" label=${msg('What to do with this mark')}>${
        this.mark === undefined || !draft || !catalog
          ? nothing
          : html`<ui-mark-menu .mark=${this.mark} .draft=${this.state.answered?.draft ?? draft} .catalog=${catalog} @mark-done=${() => this.#popover('mark')?.close()} @mark-resized=${() => this.#popover('mark')?.reposition()}></ui-mark-menu>`
      }</ui-popover>
      <ui-popover id="settings" label=${msg('Settings of the view')}><ui-chart-settings .draft=${draft} .columns=${this.state.answered?.answer.columns ?? []} .shows=${this.shownRender}></ui-chart-settings></ui-popover>
      <ui-popover id="export" label=${msg('Export')}><div class="menu">
        <button type="button" @click=${() => this.#export('csv')}>${msg('CSV, all rows')}</button>
        ${isChart ? html`<button type="button" @click=${() => this.#export('png')}>${msg('Picture, PNG')}</button><button type="button" @click=${() => this.#export('svg')}>${msg('Drawing, SVG')}</button>` : nothing}
      </div></ui-popover>
      <span class="visually-hidden" role="status">${this.exported}</span>`;
  }
}

customElements.define('ui-answer-view', AnswerView);
