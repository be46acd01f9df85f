import { LitElement } from 'lit';
import type { Client } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { accountName, SessionController } from '../shell/session.ts';
import { msg } from '../words/words.ts';
import { FormDialog, type FormQuestion } from './form-dialog.ts';
import { showToast } from './toast.ts';

/** A page that reads data for its user, changes it by dialogs, and reads it again after each change. */
export abstract class ListPage<T> extends LitElement {
  protected readonly data = new RemoteData<T>(this);
  #account = '';

  constructor() {
    super();
    new SessionController(this, session, () => this.#changed());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#changed();
  }

  protected abstract load(client: Client, signal: AbortSignal): Promise<T>;

  /** Returns whether the server answers this user at all. */
  protected get isAnswered(): boolean {
    return session.user?.administrator === true;
  }

  #changed(): void {
    const account = session.user ? accountName(session.user) : '';
    if (account === this.#account) return;
    this.#account = account;
    void this.read();
  }

  protected async read(): Promise<void> {
    if (!this.isAnswered) return;
    const state = await this.data.read((signal) => this.load(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  /** Opens a dialog; `submit` of the question changes something, and the page then shows the new state. */
  protected ask(question: FormQuestion, done: string): void {
    const dialog = this.renderRoot.querySelector('ui-form-dialog');
    if (!(dialog instanceof FormDialog)) return;
    void dialog.ask({
      ...question,
      submit: async (values) => {
        try {
          await question.submit(values);
        } catch (error) {
          session.reportFailure(error);
          throw error;
        }
        if (done !== '') showToast(done);
        await this.read();
      },
    });
  }

  /** Changes something at once. */
  protected async change(work: (client: Client) => Promise<unknown>, done: string): Promise<void> {
    try {
      await work(session.client);
      showToast(done);
    } catch (error) {
      session.reportFailure(error);
      showToast(error instanceof Error ? error.message : msg('Something went wrong. Try again.'));
    }
    await this.read();
  }
}
