import { css, html, LitElement, nothing } from 'lit';
import { RemoteData } from '../../api-client/remote-data.ts';
import { sourceName } from '../../explore/explorer.ts';
import { type Explorable, listExplorable } from '../../explore/requests.ts';
import { type Draft, isAsking, type Source } from '../../explore/state/draft.ts';
import type { ExploreQuery } from '../../explore/state/saved-query.ts';
import { showToast } from '../../parts/toast.ts';
import { session } from '../../shell/page-context.ts';
import { closeIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg, str } from '../../words/words.ts';

/** What the sheet begins with: the query of a tile, or nothing for a new one. */
export interface SheetStart {
  readonly heading: string;
  /** The verb of the button that keeps the query. */
  readonly action: string;
  readonly draft: Draft | undefined;
  readonly keep: (query: ExploreQuery) => void;
}

/** Builds the query of a tile in the explorer, over the dashboard. `open(start)` opens it. A closed sheet can be taken up again by its toast. */
export class ExploreSheet extends LitElement {
  static override properties = { start: { state: true }, source: { state: true } };
  static override styles = [
    shared,
    css`
      dialog { width: calc(100vw - 32px); max-width: 1680px; height: calc(100dvh - 32px); max-height: none; padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--canvas); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .head { display: flex; align-items: center; justify-content: space-between; gap: 16px; padding: 12px 16px; }
      .head small { margin-inline-start: 8px; color: var(--muted); font-size: 14px; font-weight: 400; }
      .acts { display: flex; gap: 8px; }
      .close { width: 36px; padding: 0; border-color: transparent; background: none; color: var(--muted); }
      .body { display: grid; min-height: 0; padding: 0 16px 16px; overflow: auto; }
      .list { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr)); gap: 12px; align-content: start; padding-block: 4px; }
      .list button { display: grid; gap: 4px; align-content: start; min-height: 88px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); font: inherit; text-align: start; cursor: pointer; }
      .list button:hover { border-color: var(--accent); }
      .list strong { font-size: 16px; line-height: 24px; font-weight: 600; }
      .list span, .list small { color: var(--muted); }
      .list small { font-size: 12px; }
      @media (max-width: 900px) { dialog { width: 100vw; height: 100dvh; max-width: none; border: 0; border-radius: 0; } }
    `,
  ];

  declare start: SheetStart | undefined;
  declare source: Source | undefined;
  readonly #list = new RemoteData<readonly Explorable[]>(this);
  /** The draft as the explorer has it now. */
  #draft: Draft | undefined;
  #isKept = false;

  constructor() {
    super();
    this.start = undefined;
    this.source = undefined;
  }

  open(start: SheetStart): void {
    this.start = start;
    this.source = start.draft?.source;
    this.#draft = start.draft;
    this.#isKept = false;
    void this.updateComplete.then(() => this.#dialog?.showModal());
    if (this.source === undefined) void this.#readList();
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  async #readList(): Promise<void> {
    const state = await this.#list.read((signal) => listExplorable(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
    // A place with one model has no choice to make.
    const [only, ...others] = state.status === 'ready' ? state.value : [];
    if (only !== undefined && others.length === 0) this.source = only.source;
  }

  #kept(event: HTMLElementEventMap['explore-save']): void {
    event.preventDefault();
    event.stopPropagation();
    this.#isKept = true;
    this.#dialog?.close();
    this.start?.keep(event.detail);
  }

  #closed(): void {
    const { start } = this;
    const draft = this.#draft;
    this.start = undefined;
    this.source = undefined;
    if (this.#isKept || start === undefined || draft === undefined || draft === start.draft || !isAsking(draft)) return;
    showToast(msg('The query was not kept.'), () => this.open({ ...start, draft }));
  }

  #choice() {
    const { state } = this.#list;
    switch (state.status) {
      case 'loading':
        return html`<div class="list"><span class="visually-hidden" role="status">${msg('Loading…')}</span>${[1, 2, 3].map(() => html`<div class="bone" .style=${'height: 88px'}></div>`)}</div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('The models cannot be listed')}</h3><p>${state.message}</p></div>`;
      case 'ready':
        return html`<div class="list">${state.value.map(
          ({ source, label, connection, description }) =>
            html`<button type="button" @click=${() => {
              this.source = source;
            }}><strong>${label}</strong><small>${connection} · ${source.surface === 'cube' ? msg('cube') : msg('semantic model')}</small><span>${description}</span></button>`,
        )}</div>`;
    }
  }

  protected override render() {
    const { start, source } = this;
    return html`<dialog aria-labelledby="sheet-title" @close=${this.#closed}>${
      start === undefined
        ? nothing
        : html`<div class="head"><h2 id="sheet-title">${start.heading}${source === undefined ? nothing : html`<small>${sourceName(source)}</small>`}</h2>
            <div class="acts">${
              source === undefined || start.draft !== undefined
                ? nothing
                : html`<button class="button" type="button" @click=${() => {
                    this.source = undefined;
                    this.#draft = undefined;
                    void this.#readList();
                  }}>${msg('Another model')}</button>`
            }<button class="button close" type="button" aria-label=${msg(str`Close ${start.heading}`)} @click=${() => this.#dialog?.close()}>${closeIcon}</button></div></div>
          <div class="body">${
            source === undefined
              ? this.#choice()
              : html`<ui-explorer .source=${source} .request=${start.draft} saveLabel=${start.action} @explore-save=${this.#kept} @explore-change=${({
                  detail,
                }: HTMLElementEventMap['explore-change']) => {
                  this.#draft = detail;
                }}></ui-explorer>`
          }</div>`
    }</dialog>`;
  }
}

customElements.define('ui-explore-sheet', ExploreSheet);
