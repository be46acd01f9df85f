import { css, html, LitElement, nothing } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { Dialog } from '../parts/dialog.ts';
import { remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { Comparison } from './change-requests.ts';
import './comparison-view.ts';
import { type RefreshEntry, readComparison } from './refresh-requests.ts';
import { whenWords } from './words.ts';

/** Shows what the last run of a refresh changed in the data of its model. */
export class RunDialog extends LitElement {
  static override properties = { refresh: { state: true } };
  static override styles = [
    shared,
    css`
      :host { --dialog-width: 860px; }
      .ran { margin-bottom: 16px; color: var(--muted); }
    `,
  ];

  declare refresh: RefreshEntry | undefined;
  #comparison = new RemoteData<Comparison>(this);

  constructor() {
    super();
    this.refresh = undefined;
  }

  async open(refresh: RefreshEntry): Promise<void> {
    // What another refresh changed is not shown for this one.
    if (this.refresh !== undefined) this.removeController(this.#comparison);
    this.#comparison = new RemoteData<Comparison>(this);
    this.refresh = refresh;
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector('ui-dialog');
    if (dialog instanceof Dialog) void dialog.open();
    await this.#read();
  }

  async #read(): Promise<void> {
    const id = this.refresh?.id ?? '';
    const state = await this.#comparison.read((signal) => readComparison(session.client, id, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  protected override render() {
    const { refresh } = this;
    return html`
      <ui-dialog heading=${msg(str`Last run of the refresh of ${refresh?.name ?? ''}`)}>
        ${refresh?.lastRun === undefined ? nothing : html`<p class="ran">${msg(str`Ran ${whenWords(refresh.lastRun)}: ${refresh.message}`)}</p>`}
        ${remoteView(
          this.#comparison.state,
          (compared) => html`<ui-comparison .compared=${compared} ?isDone=${compared.isPossible}></ui-comparison>`,
          () => void this.#read(),
        )}
      </ui-dialog>`;
  }
}

customElements.define('ui-run-dialog', RunDialog);
