import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import type { Catalog } from './state/catalog.ts';
import type { Draft } from './state/draft.ts';
import { byField, drillTargets, type Mark, notThis, onlyThis } from './state/marks.ts';

/** Fields that are offered to look into a mark by. */
const MAX_TARGETS = 30;

/** Offers what can be done with a mark of the answer. */
export class MarkMenu extends LitElement {
  static override properties = {
    mark: { attribute: false },
    draft: { attribute: false },
    catalog: { attribute: false },
    isDrilling: { state: true },
    query: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { width: min(300px, calc(100vw - 32px)); font: 14px / 20px var(--body); }
      .head { padding: 10px 16px 8px; border-bottom: 1px solid var(--line); }
      .head p { overflow-wrap: anywhere; }
      .head .figure { font-weight: 600; font-variant-numeric: tabular-nums; }
      .head small { color: var(--muted); font-size: 12px; }
      .menu { display: grid; padding: 6px; }
      .menu.long { overflow: auto; max-height: 260px; padding-top: 0; }
      .menu button { display: flex; gap: 8px; align-items: center; min-height: 32px; padding: 4px 10px; border: 0; border-radius: 6px; background: none; color: var(--ink); font: inherit; text-align: start; cursor: pointer; }
      .menu button:hover, .menu button:focus-visible { background: var(--sunken); }
      .menu button[aria-expanded='true'] { font-weight: 600; }
      input { width: calc(100% - 20px); height: 34px; margin: 4px 10px 6px; padding: 0 10px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
      @media (pointer: coarse) { .menu button { min-height: 40px; } }
    `,
  ];

  declare mark: Mark | undefined;
  /** The request that the answer is of. */
  declare draft: Draft | undefined;
  declare catalog: Catalog | undefined;
  declare isDrilling: boolean;
  declare query: string;

  constructor() {
    super();
    this.mark = undefined;
    this.draft = undefined;
    this.catalog = undefined;
    this.isDrilling = false;
    this.query = '';
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('mark')) return;
    this.isDrilling = false;
    this.query = '';
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('isDrilling') || changed.has('mark')) this.dispatchEvent(new Event('mark-resized'));
  }

  #edit(draft: Draft): void {
    this.dispatchEvent(exploreEvent('explore-edit', draft));
    this.#done();
  }

  #done(): void {
    this.dispatchEvent(new Event('mark-done'));
  }

  #show(kind: 'rows' | 'what-if'): void {
    this.dispatchEvent(
      new CustomEvent('mark-show', { detail: { kind, mark: this.mark }, bubbles: true, composed: true }),
    );
    this.#done();
  }

  #targets(draft: Draft, catalog: Catalog, { parts }: Mark) {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const targets = drillTargets(parts, draft, catalog)
      .filter((thing) => words.every((word) => thing.words.includes(word)))
      .slice(0, MAX_TARGETS);
    return html`<input type="search" aria-label=${msg('Search fields')} placeholder=${msg('Search fields')} autocomplete="off" .value=${this.query} @input=${(
      event: Event,
    ) => {
      if (event.target instanceof HTMLInputElement) this.query = event.target.value;
    }}><div class="menu long">${targets.map(
      (thing) =>
        html`<button type="button" @click=${() => this.#edit(byField(draft, parts, thing, catalog))}>${thing.label}</button>`,
    )}</div>`;
  }

  protected override render() {
    const { mark, draft, catalog } = this;
    if (!mark || !draft || !catalog) return nothing;
    const { parts, figure } = mark;
    const has = parts.length > 0;
    return html`<div class="head">${parts.map(({ label, text }) => html`<p><small>${label}</small> ${text}</p>`)}${figure === '' ? nothing : html`<p class="figure">${figure}</p>`}</div>
      <div class="menu">
        ${
          has
            ? html`<button type="button" @click=${() => this.#edit(onlyThis(draft, parts))}>${msg('Only this')}</button>
              <button type="button" @click=${() => this.#edit(notThis(draft, parts))}>${msg('Not this')}</button>
              <button type="button" aria-expanded=${this.isDrilling} @click=${() => {
                this.isDrilling = !this.isDrilling;
              }}>${msg('By …')}</button>`
            : nothing
        }
        <button type="button" @click=${() => this.#show('rows')}>${msg('Rows')}</button>
        ${draft.source.surface === 'cube' ? html`<button type="button" @click=${() => this.#show('what-if')}>${msg('What if …')}</button>` : nothing}
      </div>${this.isDrilling ? this.#targets(draft, catalog, mark) : nothing}`;
  }
}

customElements.define('ui-mark-menu', MarkMenu);
