import { html, nothing, type TemplateResult } from 'lit';
import { readDrilling } from '../api/drilling.ts';
import type { DrillStep, SelectedValue } from '../api/filter-state.ts';
import type { Answer } from '../api/parse-answer.ts';
import { DASH } from '../formats.ts';
import { rewriteLabels } from '../generated/period-labels.ts';
import { rawValue } from '../table/select-row.ts';
import type { DrillOptions, Drills, RowClick } from '../types.ts';
import { type Action, actionMenu, openMenu } from './menu.ts';
import { RowsBehind } from './rows-behind.ts';

type Target = string | undefined;

interface Menu {
  readonly title: string;
  readonly actions: readonly Action[];
  readonly at: RowClick['at'];
}

/** Goes down and up in the answers of one embed, and shows the rows behind a row. */
export class EmbedDrills implements Drills {
  readonly #options: DrillOptions;
  #menu: Menu | undefined;
  /** The menu that was opened: one that the visitor has closed must not open again at the next rendering. */
  #opened: Menu | undefined;
  #rows: RowsBehind | undefined;
  /** The texts of steps, until an answer has them. */
  readonly #texts = new Map<string, string>();
  /** The answer that a step replaces: the focus goes to the next one, where the step has removed what had it. */
  #left: { readonly target: Target; readonly rows: Answer['rows'] } | undefined;

  constructor(options: DrillOptions) {
    this.#options = options;
  }

  clicked(click: RowClick): void {
    const { formats } = this.#options.host;
    const { target, answer, row, narrow, isNarrowing, isCurrent, at } = click;
    if (!isCurrent()) return;
    const { down, rows } = readDrilling(answer.drill);
    const ways = down.filter(({ field, leaves }) => !leaves.includes(String(rawValue(cellOf(answer, row, field)))));
    const actions: Action[] = [
      ...(narrow
        ? [{ text: formats.say(isNarrowing ? 'Stop filtering other tiles' : 'Filter other tiles'), run: narrow }]
        : []),
      ...ways.map(({ field, label, by }) => ({
        text: formats.say(
          ways.length > 1 ? 'Drill down {1} to {0}' : 'Drill down to {0}',
          label,
          labelOf(answer, field),
        ),
        run: () => this.#down(target, answer, row, field, by),
      })),
      ...(rows ? [{ text: formats.say('Show rows'), run: () => this.#showRows(target, answer, row) }] : []),
    ];
    const [first, ...more] = actions;
    if (more.length === 0) first?.run();
    else {
      this.#menu = { title: titleOf(answer, row), actions, at };
      this.#options.host.requestUpdate();
    }
  }

  #down(target: Target, answer: Answer, row: number, field: string, by: readonly string[]): void {
    const values: Record<string, SelectedValue> = {};
    for (const key of by) values[key] = rawValue(cellOf(answer, row, key));
    const step: DrillStep = { field, values };
    this.#texts.set(JSON.stringify(step), cellOf(answer, row, field)?.text ?? DASH);
    this.#left = { target, rows: answer.rows };
    this.#options.go(target, [...this.#options.steps(target), step]);
  }

  #up(target: Target, steps: readonly DrillStep[]): void {
    this.#left = { target, rows: this.#options.panel(target)?.answer?.rows ?? [] };
    this.#options.go(target, steps);
  }

  #showRows(target: Target, answer: Answer, row: number): void {
    const { steps, filterOf } = this.#options;
    const at = Object.fromEntries(
      answer.columns.flatMap(({ type, key }) =>
        type === 'dimension' ? [[key, rawValue(cellOf(answer, row, key))] as const] : [],
      ),
    );
    const trail = this.#trail(target).map(({ text }) => text);
    this.#rows = new RowsBehind({
      ...this.#options,
      target,
      title: [...trail, titleOf(answer, row)].filter((text) => text !== '').join(' · ') || answer.title,
      query: { at: JSON.stringify(at), steps: steps(target), filter: filterOf(target) },
      closed: () => {
        this.#rows = undefined;
        this.#options.host.requestUpdate();
      },
    });
    this.#rows.start();
    this.#options.host.requestUpdate();
  }

  #trail(target: Target): readonly { readonly step: DrillStep; readonly text: string }[] {
    const { steps, panel } = this.#options;
    const { trail } = readDrilling(panel(target)?.answer?.drill);
    return steps(target).map((step, index) => ({
      step,
      text: this.#inNotation(
        trail[index] ?? this.#texts.get(JSON.stringify(step)) ?? String(step.values[step.field] ?? DASH),
        step,
      ),
    }));
  }

  /** Returns the text of a step: the name of a period as the answer below it writes such names. */
  #inNotation(text: string, { field, values }: DrillStep): string {
    const { settings, formats } = this.#options.host;
    const value = String(values[field]);
    const grain = field.split('.').at(-1);
    return settings.locale ? (rewriteLabels({ labels: { [value]: text }, grain }, formats)[value] ?? text) : text;
  }

  crumbs(target: Target): TemplateResult {
    const { host, panel } = this.#options;
    const { formats } = host;
    const trail = this.#trail(target);
    const all = trail.map(({ step }) => step);
    const answer = panel(target)?.answer;
    const isFigure = answer?.columns.every(({ type }) => type === 'metric') && readDrilling(answer.drill).rows;
    const crumb = (text: string, steps: readonly DrillStep[]) =>
      html`<li><button type="button" class="crumb" part="crumb" @click=${() => this.#up(target, steps)}>${text}</button></li>`;
    return html`<div class="crumbs-place" data-of=${target ?? ''}>${
      trail.length > 0
        ? html`<nav class="crumbs" part="crumbs" aria-label=${formats.say('Drilled down')}><ol>
            ${crumb(formats.say('All'), [])}${trail.map(({ text }, index) =>
              index < trail.length - 1
                ? crumb(text, all.slice(0, index + 1))
                : html`<li><span class="crumb" aria-current="true">${text}</span></li>`,
            )}</ol></nav>`
        : nothing
    }${isFigure && answer ? html`<button type="button" class="crumb show-rows" part="crumb" @click=${() => this.#showRows(target, answer, 0)}>${formats.say('Show rows')}</button>` : nothing}</div>`;
  }

  overlay(): TemplateResult {
    const { host } = this.#options;
    const close = (): void => {
      this.#menu = undefined;
      host.requestUpdate();
    };
    return html`${this.#menu ? actionMenu(this.#menu.title, this.#menu.actions, close) : nothing}${this.#rows?.render() ?? nothing}`;
  }

  afterRender(): void {
    const { host, panel } = this.#options;
    if (this.#menu && this.#menu !== this.#opened) openMenu(host.root, this.#menu.at);
    this.#opened = this.#menu;
    this.#rows?.afterRender();
    const left = this.#left;
    const now = left && panel(left.target);
    if (!left || !now || now.resource.state.status === 'loading' || now.answer?.rows === left.rows) return;
    this.#left = undefined;
    if (host.root.activeElement !== null) return;
    const place = host.root.querySelector(`.crumbs-place[data-of="${CSS.escape(left.target ?? '')}"]`);
    const next = place?.parentElement?.querySelector('[role=grid] [tabindex="0"], .points, [tabindex="0"], .crumb');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }
}

function cellOf({ columns, rows }: Answer, row: number, key: string) {
  return rows[row]?.[columns.findIndex((column) => column.key === key)];
}

function labelOf({ columns }: Answer, field: string): string {
  return columns.find(({ key }) => key === field)?.label ?? field;
}

/** Returns the texts of a row's dimensions. */
function titleOf(answer: Answer, row: number): string {
  return answer.columns
    .flatMap(({ type, key }) => (type === 'dimension' ? [cellOf(answer, row, key)?.text ?? DASH] : []))
    .join(' · ');
}
