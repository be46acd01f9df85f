import { css, html, LitElement, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { origin } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import {
  type Appearance,
  choosePageColour,
  DEFAULT_APPEARANCE,
  HEIGHT_LIMIT,
  MODE_CHOICES,
  parseHeight,
  RENDER_CHOICES,
  resolveTheme,
  toEmbed,
} from './appearance.ts';

const THEMES = [
  ['light', msg('Light')],
  ['dark', msg('Dark')],
  ['auto', msg('System')],
] as const;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Shows the document like another page does, with controls for its look. Fires `appearance` when the user changes it.
 */
export class SharePreview extends LitElement {
  static override properties = {
    document: { attribute: false },
    access: { attribute: false },
    revision: { type: Number },
    appearance: { attribute: false },
    hint: {},
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .controls { display: flex; flex-wrap: wrap; align-items: end; gap: 12px 16px; margin-top: 10px; }
      .field { font-size: 13px; }
      .input { height: 36px; font-size: 14px; }
      select.input { width: auto; max-width: 100%; padding-inline-end: 6px; }
      .pixels { width: 96px; }
      .colour { width: 52px; padding: 4px; cursor: pointer; }
      legend { margin-bottom: 6px; padding: 0; font-size: 13px; font-weight: 550; }
      .themes { display: inline-flex; border: 1px solid var(--muted); border-radius: 8px; overflow: hidden; background: var(--paper); }
      .themes label { position: relative; display: inline-flex; align-items: center; height: 34px; padding: 0 12px; font-size: 14px; cursor: pointer; }
      .themes label + label { border-inline-start: 1px solid var(--line); }
      .themes label:hover { background: var(--sunken); }
      .themes label:has(:checked) { background: var(--accent); color: var(--on-accent); }
      .themes label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -4px; }
      .themes label:has(:checked:focus-visible) { outline-color: var(--on-accent); }
      .themes input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
      .stage { margin-top: 14px; padding: clamp(12px, 2.5vw, 24px); border: 1px solid var(--line); border-radius: 12px; background: var(--page); overflow: auto; }
      .stage.light { color-scheme: light; }
      .stage.dark { color-scheme: dark; }
      /* A host page does not have this page's theme, so the element uses its defaults. */
      service-embed {
        min-width: 0; --service-embed-fg: initial; --service-embed-bg: initial; --service-embed-border: initial; --service-embed-header-bg: initial;
        --service-embed-tile-bg: initial; --service-embed-row-hover: initial; --service-embed-negative: initial; --service-embed-error: initial;
        --service-embed-muted: initial;
      }
      .notice { min-height: 240px; margin-top: 14px; align-content: center; justify-items: center; text-align: center; }
      .notice p { max-width: 44ch; text-wrap: balance; }
      .ended { margin-top: 10px; color: var(--muted); font-size: 13px; }
    `,
  ];

  declare document: DocumentEntry | undefined;
  /** The access for the preview. Undefined without one; `hint` then says what to do. */
  declare access: { readonly token: string | undefined } | undefined;
  /** Another number makes the preview read again. */
  declare revision: number;
  declare appearance: Appearance;
  declare hint: string;

  constructor() {
    super();
    this.document = undefined;
    this.access = undefined;
    this.revision = 0;
    this.appearance = DEFAULT_APPEARANCE;
    this.hint = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    prefersDark.addEventListener('change', this.#systemChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    prefersDark.removeEventListener('change', this.#systemChanged);
  }

  readonly #systemChanged = (): void => this.requestUpdate();

  #change(change: Partial<Appearance>): void {
    this.dispatchEvent(new CustomEvent('appearance', { detail: { ...this.appearance, ...change } }));
  }

  #chosen<T extends string>(choices: readonly (readonly [T, string])[], use: (value: T) => Partial<Appearance>) {
    return ({ currentTarget }: Event): void => {
      if (!(currentTarget instanceof HTMLSelectElement)) return;
      const choice = choices.find(([value]) => value === currentTarget.value);
      if (choice !== undefined) this.#change(use(choice[0]));
    };
  }

  #typed(use: (value: string) => Partial<Appearance>) {
    return ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLInputElement) this.#change(use(currentTarget.value));
    };
  }

  #controls(kind: DocumentEntry['kind'], page: string) {
    const { theme, render, mode } = this.appearance;
    return html`
      <div class="controls">
        ${
          kind !== 'query'
            ? nothing
            : html`<label class="field">${msg('Show as')}
                <select class="input" @change=${this.#chosen(RENDER_CHOICES, (value) => ({ render: value }))}>${optionElements(RENDER_CHOICES, render)}</select></label>`
        }
        ${
          kind !== 'query' || render !== 'chart'
            ? nothing
            : html`<label class="field">${msg('Chart type')}
                <select class="input" @change=${this.#chosen(MODE_CHOICES, (value) => ({ mode: value }))}>${optionElements(MODE_CHOICES, mode)}</select></label>`
        }
        <fieldset>
          <legend>${msg('Theme')}</legend>
          <div class="themes">${THEMES.map(
            ([value, title]) => html`<label><input type="radio" name="theme" value=${value} .checked=${value === theme}
              @change=${() => this.#change({ theme: value, page: undefined })} />${title}</label>`,
          )}</div>
        </fieldset>
        <label class="field">${msg('Height, px')}
          <input class="input pixels" type="number" inputmode="numeric" min=${HEIGHT_LIMIT.min} max=${HEIGHT_LIMIT.max} step="10" placeholder="400"
            @input=${this.#typed((value) => ({ height: parseHeight(value) }))} /></label>
        <label class="field">${msg('Page colour')}
          <input class="input colour" type="color" .value=${page} @input=${this.#typed((value) => ({ page: value }))} /></label>
      </div>
    `;
  }

  #embed({ kind, path }: DocumentEntry, token: string | undefined) {
    const { render, mode, theme, height } = toEmbed({ kind, path }, this.appearance, token);
    return keyed(
      `${this.revision} ${token ?? ''}`,
      html`<service-embed server=${origin} path=${path} kind=${kind} token=${token ?? nothing} render=${render} mode=${mode} theme=${theme}
        height=${height || nothing}></service-embed>`,
    );
  }

  protected override render() {
    const { document, access, appearance } = this;
    if (document === undefined) return nothing;
    const system = prefersDark.matches ? 'dark' : 'light';
    const page = choosePageColour(appearance, system);
    return html`
      <h3>${msg('Preview')}</h3>
      ${this.#controls(document.kind, page)}
      ${
        access === undefined
          ? html`<div class="notice"><h3>${msg('No preview yet')}</h3><p>${this.hint}</p></div>`
          : html`<div class="stage ${resolveTheme(appearance.theme, system)}" .style=${`--page: ${page}`}>${this.#embed(document, access.token)}</div>
            ${this.hint === '' ? nothing : html`<p class="ended">${this.hint}</p>`}`
      }
    `;
  }
}

function optionElements(choices: readonly (readonly [string, string])[], chosen: string) {
  return choices.map(([value, title]) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`);
}

customElements.define('ui-share-preview', SharePreview);
