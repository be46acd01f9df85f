import { css, html, LitElement, nothing } from 'lit';
import { CHART_SETTINGS, type Setting, type SettingTable } from '../../../router/chart-settings.ts';
import { isObject } from '../api-client/json.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import { panelStyles } from './panel-styles.ts';
import type { AnswerColumn } from './requests.ts';
import { setView } from './state/actions.ts';
import { asJson } from './state/address.ts';
import { nameWords } from './state/catalog.ts';
import type { Draft, RenderName } from './state/draft.ts';
import { compact, isJsonObject, type JsonObject, type JsonValue } from './state/json-value.ts';

/** Settings that the panel shows as fields; all others are in the text below. */
const OF_CHARTS = [
  'category',
  'series',
  'facet',
  'orientation',
  'stack',
  'sort',
  'labels',
  'legend',
  'step',
  'smooth',
  'trend',
  'top',
  'others',
  'bins',
  'target',
  'sizeBy',
  'colourBy',
] as const;
const OF_AXES = ['x', 'y', 'y2'] as const;

/** Shows the settings of charts and tables, from the one table of settings. */
export class ChartSettingsPanel extends LitElement {
  static override properties = {
    draft: { attribute: false },
    columns: { attribute: false },
    shows: {},
    problem: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      .panel { width: min(420px, calc(100vw - 32px)); }
      .grid { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px 12px; }
      .check { display: flex; gap: 8px; align-items: center; min-height: 34px; align-self: end; }
      .check input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
      details summary { cursor: pointer; color: var(--muted); font-size: 13px; }
      textarea { width: 100%; min-height: 140px; margin-top: 8px; padding: 8px 10px; border: 1px solid var(--muted); border-radius: 6px; background: var(--sunken); color: var(--ink); font: 12px / 18px var(--code); }
      .bad { color: var(--bad); font-size: 13px; }
    `,
  ];

  declare draft: Draft | undefined;
  declare columns: readonly AnswerColumn[];
  declare shows: RenderName;
  declare problem: string;

  constructor() {
    super();
    this.draft = undefined;
    this.columns = [];
    this.shows = 'chart';
    this.problem = '';
  }

  #set(path: readonly string[], value: JsonValue | undefined): void {
    const { draft } = this;
    if (!draft) return;
    const chart = withSetting(draft.view.chart ?? {}, path, value);
    this.#chart(Object.keys(chart).length === 0 ? undefined : chart);
  }

  #chart(chart: JsonObject | undefined): void {
    if (this.draft)
      this.dispatchEvent(exploreEvent('explore-edit', setView(this.draft, { ...this.draft.view, chart })));
  }

  #field(name: string, setting: Setting, path: readonly string[]) {
    const now = path.reduce<JsonValue | undefined>(
      (value, step) => (isJsonObject(value) ? value[step] : undefined),
      this.draft?.view.chart,
    );
    const label = nameWords(name.replaceAll(/([A-Z])/g, ' $1').toLowerCase());
    const choose = (values: readonly (readonly [string, string])[]) =>
      html`<label class="line" title=${setting.description}><span>${label}</span><select @change=${(event: Event) => {
        if (event.target instanceof HTMLSelectElement) this.#set(path, event.target.value || undefined);
      }}><option value="" .selected=${now === undefined}>${msg('as proposed')}</option>${values.map(
        ([value, words]) => html`<option value=${value} .selected=${value === now}>${words}</option>`,
      )}</select></label>`;
    switch (setting.type) {
      case 'choice':
        return choose(setting.values.map((value) => [value, value]));
      case 'column':
        return choose(this.columns.map(({ key, label: words }) => [key, words]));
      case 'boolean':
        return html`<label class="check" title=${setting.description}><input type="checkbox" .checked=${now === true} @change=${(event: Event) => this.#set(path, (event.target instanceof HTMLInputElement && event.target.checked) || undefined)}>${label}</label>`;
      case 'number':
        return html`<label class="line" title=${setting.description}><span>${label}</span><input class="field" type="number" min=${setting.min ?? nothing} max=${setting.max ?? nothing} step=${setting.isInteger ? '1' : 'any'} .value=${typeof now === 'number' ? String(now) : ''} @change=${(
          event: Event,
        ) => {
          const value = event.target instanceof HTMLInputElement ? event.target.valueAsNumber : Number.NaN;
          this.#set(path, Number.isFinite(value) ? value : undefined);
        }}></label>`;
      case 'text':
        return html`<label class="line" title=${setting.description}><span>${label}</span><input class="field" maxlength=${setting.maxLength} .value=${typeof now === 'string' ? now : ''} @change=${(
          event: Event,
        ) => {
          if (event.target instanceof HTMLInputElement) this.#set(path, event.target.value || undefined);
        }}></label>`;
      default:
        return nothing;
    }
  }

  #text(event: Event): void {
    if (!(event.target instanceof HTMLTextAreaElement)) return;
    const { value } = event.target;
    try {
      const json: unknown = value.trim() === '' ? {} : JSON.parse(value);
      if (!isObject(json)) throw new SyntaxError('no object');
      this.problem = '';
      this.#chart(Object.keys(json).length === 0 ? undefined : asJson(json));
    } catch {
      this.problem = msg('This is no JSON object. Settings look like {"stack": "percent"}.');
    }
  }

  protected override render() {
    const { draft } = this;
    if (!draft) return nothing;
    const table: SettingTable = CHART_SETTINGS;
    const { axes } = CHART_SETTINGS;
    return html`<div class="panel"><h3>${msg('Settings of the view')}</h3>
      <div class="grid">${OF_CHARTS.map((name) => {
        const setting = table[name];
        return setting === undefined ? nothing : this.#field(name, setting, [name]);
      })}</div>
      ${OF_AXES.map(
        (axis) =>
          html`<details><summary>${axis === 'x' ? msg('Axis of the categories') : axis === 'y' ? msg('Axis of the values') : msg('Second axis')}</summary><div class="grid">${Object.entries(
            axes.members[axis].members,
          ).map(([name, setting]) => this.#field(name, setting, ['axes', axis, name]))}</div></details>`,
      )}
      <details><summary>${msg('All settings as JSON')}</summary><textarea aria-label=${msg('Settings as JSON')} spellcheck="false" .value=${JSON.stringify(draft.view.chart ?? {}, undefined, 2)} @change=${this.#text}></textarea>
        ${this.problem === '' ? nothing : html`<p class="bad" role="alert">${this.problem}</p>`}</details></div>`;
  }
}

function withSetting(chart: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return chart;
  if (rest.length === 0) return compact({ ...chart, [step]: value });
  const before = chart[step];
  const inner = withSetting(isJsonObject(before) ? before : {}, rest, value);
  return compact({ ...chart, [step]: Object.keys(inner).length === 0 ? undefined : inner });
}

customElements.define('ui-chart-settings', ChartSettingsPanel);
