import { html, LitElement, nothing } from 'lit';
import type { JsonObject as Unknown } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { embedLocale, msg, str } from '../words/words.ts';
import { dialogStyles } from './dialog-styles.ts';
import { ALLOCATIONS, type Allocation, readRows, readWhatIf } from './rows-behind.ts';
import type { Catalog } from './state/catalog.ts';
import type { Draft } from './state/draft.ts';
import { textOf } from './state/json-value.ts';
import { type Mark, onlyThis } from './state/marks.ts';
import { labelOf } from './state/words.ts';

const ALLOCATION_WORDS: Readonly<Record<Allocation, string>> = {
  equal_allocation: msg('the same to each part'),
  weighted_allocation: msg('by the share of each part'),
  equal_increment: msg('the same change to each part'),
  weighted_increment: msg('the change by the share of each part'),
};

interface Subject {
  readonly kind: 'rows' | 'what-if';
  readonly mark: Mark;
  readonly draft: Draft;
  readonly catalog: Catalog;
}

/** Shows the rows behind a mark, or the answer of a cube under an assumption about one cell. */
export class RowsDialog extends LitElement {
  static override properties = { subject: { state: true } };
  static override styles = [shared, dialogStyles];

  declare subject: Subject | undefined;
  readonly #answer = new RemoteData<Unknown>(this);
  /** Whether there is an answer to show: a what-if has none before it is asked. */
  #isAsked = false;

  constructor() {
    super();
    this.subject = undefined;
  }

  open(kind: Subject['kind'], mark: Mark, draft: Draft, catalog: Catalog): void {
    this.subject = { kind, mark, draft, catalog };
    this.#isAsked = false;
    void this.updateComplete.then(() => this.#dialog?.showModal());
    if (kind === 'rows') {
      const value = draft.values[mark.value];
      const only = onlyThis({ ...draft, values: value === undefined ? draft.values : [value] }, mark.parts);
      this.#read((signal) => readRows(session.client, only, catalog, signal));
    }
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #read(from: (signal: AbortSignal) => Promise<Unknown>): void {
    this.#isAsked = true;
    void this.#answer.read(from).then((state) => {
      if (state.status === 'failed') session.reportFailure(state.cause);
    });
  }

  #assume(event: SubmitEvent): void {
    event.preventDefault();
    const { subject } = this;
    if (!subject || !(event.target instanceof HTMLFormElement)) return;
    const data = new FormData(event.target);
    const value = Number(data.get('value'));
    const allocation = ALLOCATIONS.find((each) => each === data.get('allocation')) ?? 'equal_allocation';
    const { draft, catalog, mark } = subject;
    const measure = textOf(draft.values[mark.value] ?? {}, 'name') ?? '';
    const members = mark.parts.map(({ item, value: caption }) => ({ level: item, caption: String(caption) }));
    if (!Number.isFinite(value)) return;
    this.#read((signal) => readWhatIf(session.client, draft, catalog, { measure, members, value, allocation }, signal));
  }

  #content() {
    if (!this.#isAsked) return nothing;
    const { state, isBusy } = this.#answer;
    if (isBusy || state.status === 'loading')
      return html`<div class="bone" .style=${'flex: 1'}><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    if (state.status === 'failed') return html`<p class="bad" role="alert">${state.message}</p>`;
    const { value } = state;
    return html`<service-embed path="rows" height="100%" render="table" .locale=${embedLocale} .reader=${readerOf(value)}></service-embed>`;
  }

  protected override render() {
    const { subject } = this;
    if (!subject) return nothing;
    const { kind, mark, draft, catalog } = subject;
    const of = mark.parts.map(({ text }) => text).join(', ');
    const value = draft.values[mark.value];
    const measure = value === undefined ? '' : labelOf(value, catalog);
    return html`<dialog class="wide" aria-labelledby="rows-title" @close=${() => {
      this.#isAsked = false;
    }}>
      <div class="head"><h2 id="rows-title">${kind === 'rows' ? (of === '' ? msg('Rows') : msg(str`Rows of ${of}`)) : msg(str`What if ${measure} of ${of} were …`)}</h2><button class="button close" type="button" aria-label=${msg('Close')} @click=${() => this.#dialog?.close()}>${closeIcon}</button></div>
      ${
        kind === 'what-if'
          ? html`<form class="body" @submit=${this.#assume}><div class="pair"><label><span>${measure}</span><input class="field" name="value" type="number" step="any" required></label>
            <label><span>${msg('Spread')}</span><select name="allocation">${ALLOCATIONS.map((each) => html`<option value=${each}>${ALLOCATION_WORDS[each]}</option>`)}</select></label></div>
            <div><button class="button primary" type="submit">${msg('Compute')}</button> <span class="muted">${msg('Nothing is saved.')}</span></div></form>`
          : nothing
      }
      <div class="body full">${this.#content()}</div>
      <div class="foot"><p>${kind === 'rows' ? msg('At most 500 rows. Roles and masks apply.') : ''}</p><button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Close')}</button></div></dialog>`;
  }
}

const readers = new WeakMap<Unknown, () => Promise<Unknown>>();

/** Returns the same reader for the same answer, so that the element draws it once. */
function readerOf(answer: Unknown): () => Promise<Unknown> {
  const known = readers.get(answer);
  if (known !== undefined) return known;
  const read = () => Promise.resolve(answer);
  readers.set(answer, read);
  return read;
}

customElements.define('ui-explore-rows', RowsDialog);
