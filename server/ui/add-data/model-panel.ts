import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import {
  changeDimension,
  changeMeasure,
  type Draft,
  type DraftCube,
  type DraftDimension,
  type DraftMeasure,
  offeredAggregators,
  offeredWeights,
  replaceCube,
} from './draft.ts';

const AGGREGATOR_WORDS: Readonly<Record<string, string>> = {
  sum: msg('Sum'),
  count: msg('Count'),
  min: msg('Minimum'),
  max: msg('Maximum'),
  avg: msg('Average'),
  'distinct-count': msg('Distinct count'),
};

/**
 * Shows the suggested model. The user keeps, renames or leaves out each suggestion. Fires `draft` with the changed
 * draft.
 */
export class ModelPanel extends LitElement {
  static override properties = { draft: { attribute: false } };
  static override styles = [
    shared,
    formStyles,
    css`
      .cubes { display: grid; gap: 24px; }
      .cube { display: grid; gap: 20px; padding: 20px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
      .title { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
      .title h3 { font-size: 18px; letter-spacing: -0.01em; overflow-wrap: anywhere; }
      .title p { color: var(--muted); font-size: 13px; }
      .switch { display: inline-flex; align-items: center; gap: 8px; margin-inline-start: auto; font-size: 14px; cursor: pointer; }
      h4 { margin: 0 0 8px; color: var(--muted); font-size: 13px; font-weight: 550; }
      .rows { border: 1px solid var(--line); border-radius: 10px; }
      li { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; align-items: center; gap: 4px 12px; padding: 10px 14px; }
      li + li { border-top: 1px solid var(--line); }
      input[type='checkbox'] { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); cursor: pointer; }
      .name {
        width: 100%; min-width: 0; height: 32px; padding: 0 8px; margin-inline-start: -8px; border: 1px solid transparent; border-radius: 7px; background: none;
        color: var(--ink); font: 600 15px / 1.3 var(--body); text-overflow: ellipsis;
      }
      .name:hover { border-color: var(--line); background: var(--sunken); }
      .name:focus { border-color: var(--accent); background: var(--paper); }
      .more { grid-column: 2 / -1; display: flex; flex-wrap: wrap; gap: 2px 10px; color: var(--muted); font-size: 13px; }
      .weight { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; }
      .more code { color: var(--ink); overflow-wrap: anywhere; }
      .table { color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
      .path { display: inline-flex; flex-wrap: wrap; gap: 0 6px; color: var(--ink); }
      .path span + span::before { content: '›'; margin-inline-end: 6px; color: var(--muted); }
      li.left .name { color: var(--muted); font-weight: 500; text-decoration: line-through; }
      li.left .path, li.left code { color: var(--muted); }
      select.input { width: auto; height: 32px; padding: 0 6px; border-color: var(--line); font-size: 13px; }
      .note { color: var(--muted); font-size: 14px; }
      .rest { margin-top: 16px; font-size: 14px; }
      .rest li { display: block; padding: 6px 0; border: 0; }
      .rest span { color: var(--muted); }
      @media (max-width: 480px) {
        .cube { padding: 16px 14px; }
        li { grid-template-columns: 20px minmax(0, 1fr); }
        li select.input, .table { grid-column: 2; justify-self: start; }
      }
      @media (pointer: coarse) { .name { font-size: 16px; } }
    `,
  ];

  declare draft: Draft | undefined;

  constructor() {
    super();
    this.draft = undefined;
  }

  #change(place: number, cube: DraftCube): void {
    if (this.draft !== undefined)
      this.dispatchEvent(new CustomEvent('draft', { detail: replaceCube(this.draft, place, cube) }));
  }

  #measure(cube: DraftCube, place: number, measure: DraftMeasure, at: number) {
    const change = (to: Partial<DraftMeasure>): void => this.#change(place, changeMeasure(cube, at, to));
    const { name, column, aggregator, isKept } = measure;
    const weights = aggregator === 'avg' ? offeredWeights(cube, measure) : [];
    const reason = reasonOf(measure);
    return html`
      <li class=${isKept ? '' : 'left'}>
        <input type="checkbox" .checked=${isKept} aria-label=${msg(str`Keep the measure ${name}`)} @change=${() => change({ isKept: !isKept })} />
        <input class="name" .value=${name} maxlength="100" aria-label=${msg(str`Name of the measure from ${column}`)} ?disabled=${!isKept}
          @change=${({ currentTarget }: Event) => change({ name: fieldValue(currentTarget) })} />
        <select class="input" aria-label=${msg(str`Aggregation of ${name}`)} ?disabled=${!isKept}
          @change=${({ currentTarget }: Event) => change({ aggregator: fieldValue(currentTarget) })}>
          ${offeredAggregators(measure).map((each) => html`<option value=${each} ?selected=${each === aggregator}>${AGGREGATOR_WORDS[each]}</option>`)}
        </select>
        <p class="more"><code>${column}</code>${reason === '' ? nothing : html`<span>${reason}</span>`}
          ${
            weights.length === 0
              ? nothing
              : html`<label class="weight">${msg('Weighted by')}
                  <select class="input" ?disabled=${!isKept} @change=${({ currentTarget }: Event) => change({ weight: fieldValue(currentTarget) })}>
                    <option value="" ?selected=${measure.weight === ''}>${msg('nothing, each row counts alike')}</option>
                    ${weights.map((each) => html`<option value=${each} ?selected=${each === measure.weight}>${each}</option>`)}
                  </select></label>`
          }</p>
      </li>
    `;
  }

  #dimension(cube: DraftCube, place: number, dimension: DraftDimension, at: number) {
    const change = (to: Partial<DraftDimension>): void => this.#change(place, changeDimension(cube, at, to));
    const { name, table, levels, reason, isKept } = dimension;
    return html`
      <li class=${isKept ? '' : 'left'}>
        <input type="checkbox" .checked=${isKept} aria-label=${msg(str`Keep the dimension ${name}`)} @change=${() => change({ isKept: !isKept })} />
        <input class="name" .value=${name} maxlength="100" aria-label=${msg(str`Name of the dimension ${name}`)} ?disabled=${!isKept}
          @change=${({ currentTarget }: Event) => change({ name: fieldValue(currentTarget) })} />
        <code class="table">${table}</code>
        <p class="more">${levels.length > 1 ? html`<span class="path">${levels.map((level) => html`<span>${level.name}</span>`)}</span>` : nothing}
          ${reason === '' ? nothing : html`<span>${inWords(reason)}</span>`}</p>
      </li>
    `;
  }

  #cube(cube: DraftCube, place: number, isOnly: boolean) {
    const { name, factTable, measures, dimensions, isKept, notes = [] } = cube;
    const kept = (guesses: readonly { readonly isKept: boolean }[]): number =>
      guesses.filter((each) => each.isKept).length;
    return html`
      <section class="cube" aria-label=${msg(str`Cube ${name}`)}>
        <div class="title">
          <h3>${name}</h3>
          <p>${msg(html`one fact per row of <code>${factTable}</code>`)}</p>
          ${
            isOnly
              ? nothing
              : html`<label class="switch"><input type="checkbox" .checked=${isKept} @change=${() => this.#change(place, { ...cube, isKept: !isKept })} />${msg('Keep this cube')}</label>`
          }
        </div>
        ${
          isKept
            ? html`
                ${notes.map((note) => html`<p class="note">${inWords(note)}</p>`)}
                <div><h4>${msg(str`Measures, ${kept(measures)} of ${measures.length} kept`)}</h4><ul class="rows">${measures.map((each, at) => this.#measure(cube, place, each, at))}</ul></div>
                ${
                  dimensions.length === 0
                    ? nothing
                    : html`<div><h4>${msg(str`Dimensions, ${kept(dimensions)} of ${dimensions.length} kept`)}</h4><ul class="rows">${dimensions.map((each, at) => this.#dimension(cube, place, each, at))}</ul></div>`
                }`
            : nothing
        }
      </section>
    `;
  }

  protected override render() {
    const { cubes = [], leftOut = [] } = this.draft ?? {};
    return html`
      <div class="section-head"><div><h2>${msg('Suggested model')}</h2><p>${msg('Each suggestion has its reason. Deselect what you do not need, and rename the rest in your own words.')}</p></div></div>
      <div class="cubes">${cubes.map((cube, place) => this.#cube(cube, place, cubes.length === 1))}</div>
      ${
        leftOut.length === 0
          ? nothing
          : html`<details class="rest"><summary>${leftOut.length === 1 ? msg('1 table is in no cube') : msg(str`${leftOut.length} tables are in no cube`)}</summary>
              <ul>${leftOut.map(({ table, reason }) => html`<li><code>${table}</code> <span>${inWords(reason)}</span></li>`)}</ul></details>`
      }
    `;
  }
}

/** Returns the reason of a measure in the visitor's language; what the user has changed has the weight for a reason. */
function reasonOf({ raw, reason, aggregator, weight }: DraftMeasure): string {
  const isSuggested = aggregator === raw.aggregator && weight === (raw.weight ?? '');
  if (isSuggested || aggregator !== 'avg') return inWords(reason);
  return weight === '' ? msg('Averaged: each row counts alike.') : msg(str`Averaged, weighted by ${weight}.`);
}

function fieldValue(target: EventTarget | null): string {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : '';
}

customElements.define('ui-model', ModelPanel);
