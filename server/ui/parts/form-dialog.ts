import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  /** Several lines, for longer texts. */
  readonly isLong?: boolean;
  readonly isOptional?: boolean;
  /** What is typed; text by default. */
  readonly type?: 'text' | 'password' | 'date';
  /** Suggestions for a text. */
  readonly suggestions?: readonly string[];
  /** The values to choose one from. */
  readonly options?: readonly Option[];
  /** The values to choose any number from; `value` and the result have one a line. */
  readonly choices?: readonly Option[];
}

interface Option {
  readonly value: string;
  readonly title: string;
}

export interface FormQuestion {
  readonly title: string;
  readonly note?: string;
  readonly fields: readonly FormField[];
  /** The verb of the button. */
  readonly action: string;
  /** True where the action takes something away. */
  readonly isDanger?: boolean;
  /** Does it. Where it throws, its message is shown and the dialog stays. */
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<void>;
}

/** Asks for a few texts in a modal dialog. `ask(question)` opens it. */
export class FormDialog extends LitElement {
  static override properties = { question: { state: true }, failure: { state: true }, isBusy: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      dialog { width: min(520px, calc(100vw - 32px)); padding: 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      form { display: grid; gap: 16px; }
      .acts { display: flex; justify-content: flex-end; gap: 8px; margin-top: 8px; }
      .choice { display: flex; align-items: center; gap: 8px; min-height: 32px; }
      dialog { max-height: calc(100dvh - 32px); overflow: auto; }
      textarea.input { height: 96px; padding: 8px 12px; resize: vertical; }
    `,
  ];

  declare question: FormQuestion | undefined;
  declare failure: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.question = undefined;
    this.failure = '';
    this.isBusy = false;
  }

  async ask(question: FormQuestion): Promise<void> {
    this.question = question;
    this.failure = '';
    await this.updateComplete;
    this.renderRoot.querySelector('dialog')?.showModal();
    this.renderRoot.querySelector<HTMLInputElement>('.input')?.select();
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  #closed(): void {
    this.question = undefined;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { question } = this;
    if (question === undefined || this.isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const entered = new FormData(event.currentTarget);
    const values = Object.fromEntries(
      question.fields.map(({ name }) => [name, entered.getAll(name).join('\n').trim()] as const),
    );
    this.isBusy = true;
    this.failure = '';
    try {
      await question.submit(values);
      this.#close();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : msg('Something went wrong. Try again.');
    } finally {
      this.isBusy = false;
    }
  }

  #field({ name, label, value, hint, isLong, isOptional, type = 'text', suggestions, options, choices }: FormField) {
    const note = hint === undefined ? nothing : html`<span class="hint">${hint}</span>`;
    const isWrong = this.failure !== '';
    if (choices !== undefined) {
      const chosen = value.split('\n');
      return html`<fieldset><legend class="field">${label}</legend>
        ${choices.map((each) => html`<label class="choice"><input type="checkbox" name=${name} value=${each.value} ?checked=${chosen.includes(each.value)} />${each.title}</label>`)}
        ${note}</fieldset>`;
    }
    if (options !== undefined)
      return html`<label class="field">${label}
        <select class="input" name=${name}>${options.map((each) => html`<option value=${each.value} ?selected=${each.value === value}>${each.title}</option>`)}</select>${note}</label>`;
    if (isLong === true)
      return html`<label class="field">${label}<textarea class="input" name=${name} maxlength="4000" .value=${value} ?required=${isOptional !== true} aria-invalid=${isWrong}></textarea>${note}</label>`;
    return html`<label class="field">${label}
      <input class="input" name=${name} type=${type} .value=${value} ?required=${isOptional !== true} maxlength="1000" autocomplete=${type === 'password' ? 'new-password' : 'off'} spellcheck="false" list=${suggestions === undefined ? nothing : `${name}-list`} aria-invalid=${isWrong} aria-describedby="failure" />
      ${suggestions === undefined ? nothing : html`<datalist id="${name}-list">${suggestions.map((each) => html`<option value=${each}></option>`)}</datalist>`}
      ${note}</label>`;
  }

  protected override render() {
    const { question } = this;
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>${
      question === undefined
        ? nothing
        : html`<form @submit=${this.#submit}>
            <h2 id="title">${question.title}</h2>
            ${question.note === undefined ? nothing : html`<p class="muted">${question.note}</p>`}
            ${question.fields.map((field) => this.#field(field))}
            <p class="wrong" id="failure" role="alert">${this.failure}</p>
            <div class="acts">
              <button class="button" type="button" @click=${this.#close}>${msg('Cancel')}</button>
              <button class="button ${question.isDanger === true ? 'danger' : 'primary'}" aria-disabled=${this.isBusy}>${question.action}</button>
            </div>
          </form>`
    }</dialog>`;
  }
}

customElements.define('ui-form-dialog', FormDialog);
