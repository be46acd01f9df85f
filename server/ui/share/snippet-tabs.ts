import { css, html, LitElement, nothing } from 'lit';
import { type PinnedScript, readPinnedScript } from '../code/pinned-script.ts';
import { type Embed, packageAddress, writeHtmlSnippet, writeReactSnippet, writeVueSnippet } from '../code/snippet.ts';
import { origin, session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import '../code/code-block.ts';
import { msg, str } from '../words/words.ts';

const TABS = ['HTML', 'React', 'Vue'] as const;
type Tab = (typeof TABS)[number];

const SNIPPETS: Readonly<Record<Tab, (origin: string, embed: Embed, pinned: PinnedScript | undefined) => string>> = {
  HTML: writeHtmlSnippet,
  React: writeReactSnippet,
  Vue: writeVueSnippet,
};

/** Shows the code of the embed for HTML, React and Vue. */
export class SnippetTabs extends LitElement {
  static override properties = {
    embed: { attribute: false },
    of: {},
    note: {},
    tab: { state: true },
    pinnable: { state: true },
    pin: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .tabs { display: flex; gap: 4px; margin: 10px 0 12px; border-bottom: 1px solid var(--line); }
      .tab { min-height: 36px; margin-bottom: -1px; padding: 0 12px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--muted); font: 500 14px / 1 var(--body); cursor: pointer; }
      .tab:hover { color: var(--ink); }
      .tab[aria-selected='true'] { border-color: var(--accent); color: var(--ink); }
      .tab:focus-visible { outline-offset: -2px; }
      .panel { display: grid; gap: 10px; }
      .panel > * { min-width: 0; }
      .hint { text-wrap: pretty; }
      .pin { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 8px; justify-self: start; font-size: 14px; cursor: pointer; }
      .pin input { margin: 3px 0 0; accent-color: var(--accent); }
      .pin .hint { grid-column: 2; }
      @media (forced-colors: active) { .tab[aria-selected='true'] { border-color: Highlight; } }
    `,
  ];

  declare embed: Embed | undefined;
  /** Title of the document. */
  declare of: string;
  /** Explanation of the token in the code. */
  declare note: string;
  declare tab: Tab;
  /** The version that a page can pin; undefined until it is loaded. */
  declare pinnable: PinnedScript | undefined;
  declare pin: boolean;

  constructor() {
    super();
    this.embed = undefined;
    this.of = '';
    this.note = '';
    this.tab = 'HTML';
    this.pinnable = undefined;
    this.pin = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Without its hashes the server offers only the unpinned address.
    readPinnedScript(session.client).then(
      (pinnable) => {
        this.pinnable = pinnable;
      },
      () => {
        this.pinnable = undefined;
      },
    );
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

  #choosePin({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLInputElement) this.pin = currentTarget.checked;
  }

  #pinning({ version }: PinnedScript) {
    return html`<label class="pin">
      <input type="checkbox" .checked=${this.pin} aria-describedby="pin-hint" @change=${this.#choosePin} />
      <span>${msg(str`Pin version ${version} of the script by its hash`)}</span>
      <span class="hint" id="pin-hint">${msg('After an update of this server, the page keeps this version until you change its code.')}</span>
    </label>`;
  }

  protected override render() {
    const { embed, tab } = this;
    if (embed === undefined) return nothing;
    return html`
      <h3 id="title">${msg('Code for your page')}</h3>
      <div class="tabs" role="tablist" aria-labelledby="title" @keydown=${this.#key}>${TABS.map(
        (
          each,
        ) => html`<button class="tab" type="button" role="tab" id=${each} aria-selected=${each === tab} aria-controls="panel" tabindex=${each === tab ? 0 : -1}
          @click=${() => this.#select(each)}>${each}</button>`,
      )}</div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby=${tab}>
        ${this.note === '' ? nothing : html`<p class="hint">${this.note}</p>`}
        ${tab === 'HTML' ? nothing : html`<p class="hint">${msg('Run once in the project:')} <code>npm install ${packageAddress(origin, this.pinnable)}</code></p>`}
        ${tab === 'HTML' && this.pinnable !== undefined ? this.#pinning(this.pinnable) : nothing}
        <ui-code caption=${tab} .of=${this.of} .text=${SNIPPETS[tab](origin, embed, this.pin ? this.pinnable : undefined)}></ui-code>
      </div>
    `;
  }
}

customElements.define('ui-share-snippet', SnippetTabs);
