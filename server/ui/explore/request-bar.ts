import { css, html, LitElement } from 'lit';
import { shared } from '../styles/shared.ts';
import { language, msg } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import { setLimit, transpose } from './state/actions.ts';
import { type Draft, emptyDraft } from './state/draft.ts';

const LIMITS = [10, 20, 50, 100, 1_000, 10_000];

const number = new Intl.NumberFormat(language);

/** Changes a request as a whole: its limit, its axes, its history. Fires `explore-edit`, `explore-saved` at a new start, `request-undo`, `request-redo` and `fields-show`. */
export class RequestBar extends LitElement {
  static override properties = { draft: { attribute: false }, canUndo: { type: Boolean }, canRedo: { type: Boolean } };
  static override styles = [
    shared,
    css`
      :host { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; min-height: 36px; padding: 2px 4px; }
      label { display: inline-flex; gap: 8px; align-items: center; color: var(--muted); font-size: 13px; }
      select { height: 28px; padding: 0 6px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: 13px / 1 var(--body); }
      .button { min-height: 28px; padding: 0 10px; font-size: 13px; }
      .icons { display: inline-flex; gap: 4px; margin-inline-start: auto; }
      .icons .button { width: 32px; padding: 0; }
      .icons .button:disabled { opacity: 0.4; cursor: default; }
      .icons svg { width: 16px; height: 16px; }
      .icons .fields { display: none; width: auto; padding: 0 12px; }
      @media (max-width: 900px) { .icons .fields { display: inline-flex; } }
      @media (pointer: coarse) { select, .button { min-height: 36px; height: 36px; } .icons .button { width: 40px; } .icons .fields { width: auto; } }
    `,
  ];

  declare draft: Draft;
  declare canUndo: boolean;
  declare canRedo: boolean;

  constructor() {
    super();
    this.canUndo = false;
    this.canRedo = false;
  }

  #edit(draft: Draft): void {
    this.dispatchEvent(exploreEvent('explore-edit', draft));
  }

  /** Starts over: what is built next is no version of the opened document. */
  #clear(): void {
    this.dispatchEvent(exploreEvent('explore-saved', { saved: undefined }));
    this.#edit(emptyDraft(this.draft.source));
  }

  #fire(name: 'request-undo' | 'request-redo' | 'fields-show'): void {
    this.dispatchEvent(new Event(name));
  }

  protected override render() {
    const { draft } = this;
    const { limit } = draft;
    const limits = [...new Set([...LIMITS, ...(limit === undefined ? [] : [limit])])].sort(
      (left, right) => left - right,
    );
    return html`<label>${msg('Limit')}<select @change=${(event: Event) => {
      if (event.target instanceof HTMLSelectElement)
        this.#edit(setLimit(draft, event.target.value === '' ? undefined : Number(event.target.value)));
    }}><option value="" .selected=${limit === undefined}>${msg('none')}</option>${limits.map(
      (each) => html`<option value=${each} .selected=${each === limit}>${number.format(each)}</option>`,
    )}</select></label>
      <span class="icons">
        <button class="button fields" type="button" @click=${() => this.#fire('fields-show')}>${msg('Fields')}</button>
        <button class="button" type="button" title=${msg('Exchange rows and columns')} aria-label=${msg('Exchange rows and columns')} @click=${() => this.#edit(transpose(draft))}>${icons.swap}</button>
        <button class="button" type="button" title=${msg('Undo (Ctrl Z)')} aria-label=${msg('Undo')} ?disabled=${!this.canUndo} @click=${() => this.#fire('request-undo')}>${icons.undo}</button>
        <button class="button" type="button" title=${msg('Redo (Ctrl Shift Z)')} aria-label=${msg('Redo')} ?disabled=${!this.canRedo} @click=${() => this.#fire('request-redo')}>${icons.redo}</button>
        <button class="button" type="button" title=${msg('Start over')} aria-label=${msg('Start over')} @click=${this.#clear}>${icons.clear}</button>
      </span>`;
  }
}

const icon = (path: string) =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${path} /></svg>`;

const icons = {
  undo: icon('M9 7H15a5 5 0 0 1 0 10H8M9 7l3.5-3.5M9 7l3.5 3.5'),
  redo: icon('M15 7H9a5 5 0 0 0 0 10h7M15 7l-3.5-3.5M15 7l-3.5 3.5'),
  swap: icon('M5 8h12l-3.5-3.5M19 16H7l3.5 3.5'),
  clear: icon('M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12'),
};

customElements.define('ui-request-bar', RequestBar);
