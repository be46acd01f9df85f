/** The model of the page: the saved document, its draft, and what is read about it. Fires `change`. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Client, RequestFailedError } from '../api-client/client.ts';
import { applyDraft } from './apply-draft.ts';
import { type Draft, type Edit, EMPTY_DRAFT, MAX_EDITS, redone, undone, withEdit, withoutEdit } from './draft.ts';
import { keepDraft, readDraft } from './draft-storage.ts';
import type { ModelDocument } from './model-document.ts';
import { type Change, type ModelFacts, ModelRequests, type ModelUse, type Saved } from './requests.ts';

export class ModelStore extends EventTarget {
  readonly id: string;
  readonly requests: ModelRequests;
  #saved: ModelDocument;
  #shown: ModelDocument;
  #draft: Draft = EMPTY_DRAFT;
  #text: string | undefined;
  /** True where somebody has saved the model since the draft was begun. */
  hasMovedOn = false;
  facts: ModelFacts | undefined;
  /** The reason why facts could not be read. */
  factsProblem: string | undefined;
  uses: readonly ModelUse[] | undefined;

  private constructor(id: string, requests: ModelRequests, saved: ModelDocument) {
    super();
    this.id = id;
    this.requests = requests;
    this.#saved = saved;
    this.#shown = saved;
    const stored = readDraft(id);
    if (stored === undefined) return;
    this.#draft = { edits: stored.edits, undone: [] };
    this.#text = stored.text;
    this.hasMovedOn = stored.version !== saved.version;
    this.#shown = applyDraft(saved, stored.edits);
  }

  static async open(client: Client, id: string, signal?: AbortSignal): Promise<ModelStore> {
    const requests = new ModelRequests(client, id);
    const store = new ModelStore(id, requests, await requests.read(signal));
    void store.#readAround();
    return store;
  }

  /** The document as it is saved. */
  get saved(): ModelDocument {
    return this.#saved;
  }

  /** The document as the draft leaves it. */
  get document(): ModelDocument {
    return this.#shown;
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** The whole document as its source was edited; `undefined` where it was not. */
  get text(): string | undefined {
    return this.#text;
  }

  get changeCount(): number {
    return this.#text === undefined ? this.#draft.edits.length : 1;
  }

  /** Returns whether elements can be edited: the source is edited whole or not at all. */
  get canEdit(): boolean {
    return this.#saved.isEditable && this.#text === undefined && this.#draft.edits.length < MAX_EDITS;
  }

  /** Returns the draft as a change of the present version. */
  get change(): Change {
    const { version } = this.#saved;
    return this.#text === undefined ? { version, edits: this.#draft.edits } : { version, text: this.#text };
  }

  edit(edit: Edit): void {
    if (this.canEdit) this.#set(withEdit(this.#draft, edit), undefined);
  }

  /** Sets the whole document; `undefined` goes back to edits. */
  editText(text: string | undefined): void {
    if (this.#saved.isEditable) this.#set(EMPTY_DRAFT, text === this.#saved.text ? undefined : text);
  }

  undo(): void {
    this.#set(undone(this.#draft), this.#text);
  }

  redo(): void {
    this.#set(redone(this.#draft), this.#text);
  }

  discard(): void {
    this.hasMovedOn = false;
    this.#set(EMPTY_DRAFT, undefined);
  }

  dropEdit(index: number): void {
    this.#set(withoutEdit(this.#draft, index), undefined);
  }

  /** Saves a change and reads the document again. Keeps the draft if the save fails. */
  async save(change: Change): Promise<Saved> {
    const saved = await this.requests.save(change);
    this.#draft = EMPTY_DRAFT;
    this.#text = undefined;
    this.hasMovedOn = false;
    await this.reload();
    void this.#readAround();
    return saved;
  }

  /** Reads the document again. The draft stays, on top of the present version. */
  async reload(): Promise<void> {
    const former = this.#saved.version;
    this.#saved = await this.requests.read();
    if (this.changeCount > 0 && this.#saved.version !== former) this.hasMovedOn = true;
    this.#set(this.#draft, this.#text);
  }

  #set(draft: Draft, text: string | undefined): void {
    this.#draft = draft;
    this.#text = text;
    this.#shown = applyDraft(this.#saved, draft.edits);
    keepDraft(this.id, { version: this.#saved.version, edits: draft.edits, text });
    this.#changed();
  }

  async #readAround(): Promise<void> {
    const facts = this.requests.facts().then(
      (read) => {
        this.facts = read;
        this.factsProblem = undefined;
      },
      (error: unknown) => {
        this.factsProblem = error instanceof RequestFailedError ? error.message : String(error);
      },
    );
    const uses = this.requests.uses().then(
      (read) => {
        this.uses = read;
      },
      () => undefined,
    );
    for (const each of [facts, uses]) void each.then(() => this.#changed());
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Renders its host again after each change of a store. */
export class StoreController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #storeOf: () => ModelStore | undefined;
  #watched: ModelStore | undefined;

  constructor(host: ReactiveControllerHost, storeOf: () => ModelStore | undefined) {
    this.#host = host;
    this.#storeOf = storeOf;
    host.addController(this);
  }

  hostUpdate(): void {
    const store = this.#storeOf();
    if (store === this.#watched) return;
    this.hostDisconnected();
    this.#watched = store;
    store?.addEventListener('change', this.#react);
  }

  hostDisconnected(): void {
    this.#watched?.removeEventListener('change', this.#react);
    this.#watched = undefined;
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  readonly #react = (): void => this.#host.requestUpdate();
}
