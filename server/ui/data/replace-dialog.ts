import { css, html, LitElement, nothing } from 'lit';
import { Dialog } from '../parts/dialog.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { type Compared, compareFiles, confirmReplacement, discardReplacement, MAX_FILES } from './change-requests.ts';
import type { ModelEntry } from './data-entries.ts';
import './comparison-view.ts';

const EXTENSIONS = ['.csv', '.parquet', '.json', '.xlsx'];

type Stage =
  | { readonly at: 'choosing'; readonly problem: string }
  | { readonly at: 'working'; readonly words: string }
  | { readonly at: 'compared'; readonly compared: Compared };

/** Asks for new files of a model, shows what they change, and puts them into the place of the old data. Fires `replaced`. */
export class ReplaceDialog extends LitElement {
  static override properties = { stage: { state: true }, model: { state: true } };
  static override styles = [
    shared,
    css`
      :host { --dialog-width: 860px; }
      .drop { display: grid; justify-items: center; gap: 12px; padding: 32px 16px; border: 2px dashed var(--line); border-radius: 10px; text-align: center; }
      .drop p { max-width: 56ch; color: var(--muted); }
      .working { min-height: 160px; display: grid; place-content: center; color: var(--muted); }
      .refused { padding: 12px 16px; border: 1px solid var(--bad); border-radius: 10px; background: var(--bad-wash); }
      .acts { display: flex; flex-wrap: wrap; justify-content: end; gap: 8px; }
      .note { color: var(--muted); }
    `,
  ];

  declare stage: Stage;
  declare model: ModelEntry | undefined;
  #running = new AbortController();

  constructor() {
    super();
    this.stage = { at: 'choosing', problem: '' };
    this.model = undefined;
  }

  get #dialog(): Dialog | null {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : null;
  }

  async open(model: ModelEntry): Promise<void> {
    this.model = model;
    this.stage = { at: 'choosing', problem: '' };
    await this.updateComplete;
    await this.#dialog?.open();
  }

  #closed(): void {
    this.#running.abort();
    const { stage } = this;
    // An unconfirmed comparison would wait an hour.
    if (stage.at === 'compared') void discardReplacement(session.client, stage.compared.id).catch(() => undefined);
    this.stage = { at: 'choosing', problem: '' };
  }

  async #take(files: readonly File[]): Promise<void> {
    const { model } = this;
    if (model === undefined || files.length === 0) return;
    const odd = files.find(({ name }) => !EXTENSIONS.some((each) => name.toLowerCase().endsWith(each)));
    if (odd !== undefined) {
      this.stage = {
        at: 'choosing',
        problem: msg(str`${odd.name} has an unsupported type. Supported types: ${EXTENSIONS.join(', ')}.`),
      };
      return;
    }
    if (files.length > MAX_FILES) {
      this.stage = { at: 'choosing', problem: msg(str`Choose at most ${MAX_FILES} files.`) };
      return;
    }
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.stage = { at: 'working', words: msg('Reading and comparing…') };
    try {
      const compared = await compareFiles(session.client, model.id, files, running.signal);
      if (!running.signal.aborted) this.stage = { at: 'compared', compared };
    } catch (error) {
      if (!running.signal.aborted) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    session.reportFailure(error);
    this.stage = { at: 'choosing', problem: error instanceof Error ? error.message : msg('Something went wrong.') };
  }

  async #confirm(): Promise<void> {
    const { stage, model } = this;
    if (stage.at !== 'compared' || model === undefined) return;
    this.stage = { at: 'working', words: msg('Replacing…') };
    try {
      await confirmReplacement(session.client, stage.compared.id);
      this.#dialog?.close();
      this.dispatchEvent(new CustomEvent('replaced', { detail: model }));
    } catch (error) {
      this.#failed(error);
    }
  }

  #pick(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  }

  #picked({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    const files = [...(currentTarget.files ?? [])];
    currentTarget.value = '';
    void this.#take(files);
  }

  #dropped(event: DragEvent): void {
    event.preventDefault();
    void this.#take([...(event.dataTransfer?.files ?? [])]);
  }

  #choosing(problem: string) {
    return html`
      <div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#dropped}>
        <p>${msg('Bring one file for each table of the model, such as the files of the next month. You see what changes before anything is replaced.')}</p>
        <button class="button primary" type="button" @click=${this.#pick}>${msg('Choose files')}</button>
        <input type="file" hidden multiple accept=${EXTENSIONS.join(',')} aria-label=${msg('Files')} @change=${this.#picked} />
        ${problem === '' ? nothing : html`<p class="refused" role="alert">${problem}</p>`}
      </div>`;
  }

  #content() {
    const { stage } = this;
    switch (stage.at) {
      case 'choosing':
        return this.#choosing(stage.problem);
      case 'working':
        return html`<p class="working" role="status">${stage.words}</p>`;
      case 'compared':
        return html`<ui-comparison .compared=${stage.compared}></ui-comparison>`;
    }
  }

  protected override render() {
    const { stage, model } = this;
    const isCompared = stage.at === 'compared';
    const isPossible = isCompared && stage.compared.isPossible;
    return html`
      <ui-dialog heading=${msg(str`Replace the data of ${model?.name ?? ''}`)} @closed=${this.#closed}>
        ${this.#content()}
        <div slot="acts" class="acts">
          <button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Cancel')}</button>
          ${isCompared ? html`<button class=${isPossible ? 'button' : 'button primary'} type="button" @click=${this.#pickAgain}>${msg('Choose other files')}</button>` : nothing}
          ${isPossible ? html`<button class="button primary" type="button" @click=${this.#confirm}>${msg('Replace data')}</button>` : nothing}
        </div>
      </ui-dialog>`;
  }

  #pickAgain(): void {
    const { stage } = this;
    if (stage.at === 'compared') void discardReplacement(session.client, stage.compared.id).catch(() => undefined);
    this.stage = { at: 'choosing', problem: '' };
  }
}

customElements.define('ui-replace-dialog', ReplaceDialog);
