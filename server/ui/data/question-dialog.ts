import { css, html, LitElement, nothing } from 'lit';
import { Dialog } from '../parts/dialog.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/** A question before something is removed. */
export interface Question {
  readonly heading: string;
  /** What happens, in sentences. */
  readonly text: string;
  readonly goes?: readonly string[];
  readonly stays?: readonly string[];
  /** The name of the action. */
  readonly action: string;
  readonly act: () => Promise<void>;
}

/** Asks before something is removed, with what goes and what stays. Fires `done`. */
export class QuestionDialog extends LitElement {
  static override properties = { question: { state: true }, problem: { state: true }, isBusy: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      :host { --dialog-width: 560px; }
      .parts { display: grid; gap: 14px; }
      h3 { margin-bottom: 4px; font-size: 14px; }
      li { padding: 2px 0; overflow-wrap: anywhere; }
      li::before { content: '–'; margin-inline-end: 8px; color: var(--muted); }
      .acts { display: flex; flex-wrap: wrap; justify-content: end; gap: 8px; }
      .failed { padding: 8px 12px; border-radius: 8px; background: var(--bad-wash); }
    `,
  ];

  declare question: Question | undefined;
  declare problem: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.question = undefined;
    this.problem = '';
    this.isBusy = false;
  }

  get #dialog(): Dialog | null {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : null;
  }

  async ask(question: Question): Promise<void> {
    this.question = question;
    this.problem = '';
    this.isBusy = false;
    await this.updateComplete;
    await this.#dialog?.open();
  }

  async #act(): Promise<void> {
    const { question } = this;
    if (question === undefined || this.isBusy) return;
    this.isBusy = true;
    try {
      await question.act();
      this.#dialog?.close();
      this.dispatchEvent(new Event('done'));
    } catch (error) {
      session.reportFailure(error);
      this.problem = error instanceof Error ? error.message : msg('Something went wrong.');
    } finally {
      this.isBusy = false;
    }
  }

  #list(heading: string, items: readonly string[] | undefined) {
    return items === undefined || items.length === 0
      ? nothing
      : html`<section><h3>${heading}</h3><ul>${items.map((each) => html`<li>${each}</li>`)}</ul></section>`;
  }

  protected override render() {
    const { question, problem, isBusy } = this;
    return html`
      <ui-dialog heading=${question?.heading ?? ''}>
        <div class="parts">
          <p>${question?.text}</p>
          ${this.#list(msg('This goes'), question?.goes)} ${this.#list(msg('This stays'), question?.stays)}
          ${problem === '' ? nothing : html`<p class="failed" role="alert">${problem}</p>`}
        </div>
        <div slot="acts" class="acts">
          <button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Keep')}</button>
          <button class="button danger" type="button" aria-disabled=${isBusy} @click=${this.#act}>${question?.action}</button>
        </div>
      </ui-dialog>`;
  }
}

customElements.define('ui-question-dialog', QuestionDialog);
