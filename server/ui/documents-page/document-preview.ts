import { css, html, LitElement, nothing } from 'lit';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { readDocument } from '../documents/repository.ts';
import { origin, session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { embedLocale, msg } from '../words/words.ts';
import { type AnswerReader, answerReader } from './answers.ts';
import { bestForm, chosenForm, type Form } from './best-form.ts';
import { toQuestion } from './dashboard/questions.ts';

/** Time that the pointer or the focus rests on a document before its picture is read. */
const REST_MS = 400;
/** Size of the picture, and the part of its natural size at which it is drawn. */
const SIZE = { width: 400, height: 250 };
const SCALE = 0.5;
const GAP = 8;

type Picture =
  | { readonly status: 'query'; readonly form: Form; readonly reader: AnswerReader; readonly chart: unknown }
  | { readonly status: 'embed'; readonly kind: 'dashboard' | 'ai' }
  | { readonly status: 'failed' };

/** Shows a small picture of a document beside its row, while the pointer or the focus rests there. Screen readers have the row itself. */
export class DocumentPreview extends LitElement {
  static override properties = { entry: { state: true }, picture: { state: true } };
  static override styles = [
    shared,
    css`
      [popover] { position: fixed; inset: auto; width: ${SIZE.width}px; height: ${SIZE.height}px; margin: 0; padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); pointer-events: none; }
      .page { width: ${SIZE.width / SCALE}px; height: ${SIZE.height / SCALE}px; padding: 16px; overflow: hidden; transform: scale(${SCALE}); transform-origin: 0 0; }
      :dir(rtl) .page { transform-origin: 100% 0; }
      .bone { height: 100%; border-radius: 0; }
      p { padding: 16px; color: var(--muted); }
      service-embed { --service-embed-border: transparent; }
      @media (hover: none) { [popover] { display: none; } }
    `,
  ];

  declare entry: DocumentEntry | undefined;
  declare picture: Picture | undefined;
  readonly #pictures = new Map<string, Picture>();
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.entry = undefined;
    this.picture = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#waiting);
  }

  /** Shows the picture of a document beside an element, after a rest. */
  show(entry: DocumentEntry, anchor: Element): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#open(entry, anchor), REST_MS);
  }

  hide(): void {
    clearTimeout(this.#waiting);
    this.#box?.hidePopover();
    this.entry = undefined;
  }

  get #box(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[popover]');
  }

  async #open(entry: DocumentEntry, anchor: Element): Promise<void> {
    this.entry = entry;
    // A document that has changed has another picture.
    const key = `${entry.path} ${entry.updatedAt.getTime()}`;
    this.picture = this.#pictures.get(key);
    await this.updateComplete;
    const box = this.#box;
    if (!box || this.entry !== entry) return;
    box.showPopover();
    const { left, top, bottom, width } = anchor.getBoundingClientRect();
    const isBelow = bottom + GAP + SIZE.height <= innerHeight;
    box.style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - SIZE.height)}px`;
    box.style.left = `${Math.max(GAP, Math.min(left + width / 3, innerWidth - SIZE.width - GAP))}px`;
    if (this.picture !== undefined) return;
    const picture = await pictureOf(entry);
    this.#pictures.set(key, picture);
    if (this.entry === entry) this.picture = picture;
  }

  #content({ path }: DocumentEntry) {
    const { picture } = this;
    if (picture === undefined) return html`<div class="bone"></div>`;
    const height = `${SIZE.height / SCALE - 32}px`;
    switch (picture.status) {
      case 'failed':
        return html`<p>${msg('There is no picture: the document cannot be read.')}</p>`;
      case 'embed':
        return html`<div class="page"><service-embed server=${origin} path=${path} kind=${picture.kind} token="session" height=${height} .locale=${embedLocale}></service-embed></div>`;
      case 'query':
        return html`<div class="page"><service-embed .reader=${picture.reader} path=${path} render=${picture.form.render} mode=${picture.form.mode ?? nothing} .chart=${picture.chart} height=${height} .locale=${embedLocale}></service-embed></div>`;
    }
  }

  protected override render() {
    const { entry } = this;
    return html`<div popover="manual" aria-hidden="true" inert>${entry === undefined ? nothing : this.#content(entry)}</div>`;
  }
}

async function pictureOf({ kind, path }: DocumentEntry): Promise<Picture> {
  if (kind !== 'query') return { status: 'embed', kind };
  try {
    const { document } = await readDocument(session.client, path);
    const answer = await answerReader(session.client, toQuestion(document))(AbortSignal.timeout(60_000));
    const form = chosenForm(document.view) ?? bestForm(answer);
    return { status: 'query', form, reader: () => Promise.resolve(answer), chart: document.chart };
  } catch (error) {
    session.reportFailure(error);
    return { status: 'failed' };
  }
}

customElements.define('ui-document-preview', DocumentPreview);
