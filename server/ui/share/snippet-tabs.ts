import { css, html, LitElement, nothing } from 'lit';
import { type Embed, reactSnippet, snippet, VUE_CONFIG, vueSnippet } from '../code/snippet.ts';
import { origin } from '../frame/here.ts';
import { shared } from '../styles/shared.ts';
import { form } from './form.ts';
import '../code/code-block.ts';

const TABS = ['HTML', 'React', 'Vue'] as const;
type Tab = (typeof TABS)[number];

const WRITTEN: Readonly<Record<Tab, (origin: string, embed: Embed) => string>> = {
  HTML: snippet,
  React: reactSnippet,
  Vue: vueSnippet,
};

/** The embed as code, for three kinds of pages. */
export class SnippetTabs extends LitElement {
  static override properties = { embed: { attribute: false }, of: {}, note: {}, tab: { state: true } };
  static override styles = [
    shared,
    form,
    css`
      .tabs { display: flex; gap: 4px; margin: 10px 0 12px; border-bottom: 1px solid var(--line); }
      .tab { min-height: 36px; margin-bottom: -1px; padding: 0 12px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--muted); font: 500 14px / 1 var(--body); cursor: pointer; }
      .tab:hover { color: var(--ink); }
      .tab[aria-selected='true'] { border-color: var(--accent); color: var(--ink); }
      .tab:focus-visible { outline-offset: -2px; }
      .panel { display: grid; gap: 10px; }
      .panel > * { min-width: 0; }
      .hint { text-wrap: pretty; }
      @media (forced-colors: active) { .tab[aria-selected='true'] { border-color: Highlight; } }
    `,
  ];

  declare embed: Embed | undefined;
  /** Title of the document. */
  declare of: string;
  /** What is to be known of the token in the code. */
  declare note: string;
  declare tab: Tab;

  constructor() {
    super();
    this.embed = undefined;
    this.of = '';
    this.note = '';
    this.tab = 'HTML';
  }

  async #key(event: KeyboardEvent): Promise<void> {
    const at = TABS.indexOf(this.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const tab = to === undefined ? undefined : TABS.at(to % TABS.length);
    if (tab === undefined) return;
    event.preventDefault();
    this.tab = tab;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }

  #select(tab: Tab): void {
    this.tab = tab;
  }

  protected override render() {
    const { embed, tab } = this;
    if (embed === undefined) return nothing;
    return html`
      <h3 id="title">Code for your page</h3>
      <div class="tabs" role="tablist" aria-labelledby="title" @keydown=${this.#key}>${TABS.map(
        (
          each,
        ) => html`<button class="tab" type="button" role="tab" id=${each} aria-selected=${each === tab} aria-controls="panel" tabindex=${each === tab ? 0 : -1}
          @click=${() => this.#select(each)}>${each}</button>`,
      )}</div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby=${tab}>
        ${this.note === '' ? nothing : html`<p class="hint">${this.note}</p>`}
        ${tab === 'HTML' ? nothing : html`<p class="hint">Once in the project: <code>npm install service-embed</code></p>`}
        <ui-code caption=${tab} .of=${this.of} .text=${WRITTEN[tab](origin, embed)}></ui-code>
        ${
          tab === 'Vue'
            ? html`<p class="hint">Vue takes every tag it does not know for a component of its own. Tell it once that this one is not:</p>
              <ui-code caption="vite.config.js" of="a Vue project" .text=${VUE_CONFIG}></ui-code>`
            : nothing
        }
      </div>
    `;
  }
}

customElements.define('ui-share-snippet', SnippetTabs);
