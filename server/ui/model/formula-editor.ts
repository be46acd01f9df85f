/** An editor of formulas that completes names and marks unknown ones. It is a chunk of its own, with CodeMirror. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { css, html, LitElement, type PropertyValues } from 'lit';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { codeTheme, typingOverSelection } from './code-editing.ts';
import { namesInFormula, type UnknownName, unknownNames } from './formula-names.ts';
import type { ModelDocument } from './model-document.ts';
import { typeWord } from './words.ts';

const WORDS =
  /^(?:and|or|not|in|is|null|case|when|then|else|end|between|like|distinct|cast|as|true|false|interval|within|group|order|by)\b/i;

const language = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^--.*/)) return 'comment';
    if (stream.match(/^'(?:[^']|'')*'?/)) return 'string';
    if (stream.match(/^[0-9][0-9.]*/)) return 'number';
    if (stream.match(WORDS)) return 'keyword';
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_$.]*(?=\s*\()/u)) return 'typeName';
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_$.]*/u)) return 'variableName';
    stream.next();
    return null;
  },
});

export interface FormulaInput {
  readonly text: string;
  readonly unknown: readonly UnknownName[];
}

/** Fires `formula` with a `FormulaInput` after each change, and `apply` at Ctrl+Enter. */
export class FormulaEditor extends LitElement {
  static override properties = {
    value: {},
    label: {},
    document: { attribute: false },
    isReadOnly: { type: Boolean },
    refusal: {},
    metric: {},
  };
  static override styles = [
    shared,
    css`
      :host { border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); }
      :host(:focus-within) { border-color: var(--accent); outline: 1px solid var(--accent); }
    `,
  ];

  declare value: string;
  declare label: string;
  declare document: ModelDocument;
  declare isReadOnly: boolean;
  /** Why the server refuses the present text; empty where it does not. */
  declare refusal: string;
  /** The name of the edited metric, which its own formula cannot use. */
  declare metric: string;
  readonly #writable = new Compartment();
  #view: EditorView | undefined;

  constructor() {
    super();
    this.value = '';
    this.label = '';
    this.refusal = '';
    this.metric = '';
    this.isReadOnly = false;
  }

  override focus(): void {
    this.#view?.focus();
  }

  /** Shows the given formula again. */
  reset(): void {
    const view = this.#view;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: this.value } });
  }

  protected override firstUpdated(): void {
    const parent = this.renderRoot.querySelector('.editor');
    if (parent === null || !(this.renderRoot instanceof ShadowRoot)) return;
    this.#view = new EditorView({
      parent,
      root: this.renderRoot,
      state: EditorState.create({
        doc: this.value,
        extensions: [
          history(),
          language,
          syntaxHighlighting(classHighlighter),
          EditorView.lineWrapping,
          autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
          keymap.of([
            { key: 'Mod-Enter', run: () => this.#apply() },
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          this.#writable.of(EditorState.readOnly.of(this.isReadOnly)),
          EditorView.contentAttributes.of({
            'aria-label': this.label,
            'aria-multiline': 'true',
            spellcheck: 'false',
            tabindex: '0',
          }),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) this.#changed();
          }),
          typingOverSelection,
          codeTheme,
        ],
      }),
    });
    this.#mark();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const view = this.#view;
    if (view === undefined) return;
    if (changed.has('value') && view.state.doc.toString() !== this.value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: this.value } });
    if (changed.has('isReadOnly'))
      view.dispatch({ effects: this.#writable.reconfigure(EditorState.readOnly.of(this.isReadOnly)) });
    if (changed.has('refusal') || changed.has('document')) this.#mark();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = undefined;
  }

  get #text(): string {
    return this.#view?.state.doc.toString() ?? this.value;
  }

  #apply(): boolean {
    this.dispatchEvent(new Event('apply'));
    return true;
  }

  #changed(): void {
    const text = this.#text;
    const detail: FormulaInput = { text, unknown: unknownNames(text, this.document) };
    this.dispatchEvent(new CustomEvent('formula', { detail }));
    this.#mark();
  }

  /** Marks unknown names at once, and the name that the server's refusal is about. */
  #mark(): void {
    const view = this.#view;
    if (view === undefined) return;
    const text = this.#text;
    const diagnostics: Diagnostic[] = unknownNames(text, this.document).map(({ start, end, message, candidates }) => ({
      from: start,
      to: end,
      severity: 'error',
      message,
      actions: candidates.map((name) => ({
        name,
        apply: (target: EditorView, from: number, to: number) =>
          target.dispatch({ changes: { from, to, insert: name } }),
      })),
    }));
    if (diagnostics.length === 0 && this.refusal !== '' && text !== '') {
      const about = namesInFormula(text).find((name) => this.refusal.includes(name.text));
      diagnostics.push({
        from: about?.start ?? 0,
        to: about?.end ?? text.length,
        severity: 'error',
        message: this.refusal,
      });
    }
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }

  #complete(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/[\p{L}\p{N}_.]*/u);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const point = word.text.indexOf('.');
    const { datasets, metrics, functions } = this.document;
    if (point !== -1) {
      const dataset = datasets.find(({ name }) => name.toLowerCase() === word.text.slice(0, point).toLowerCase());
      if (dataset === undefined) return null;
      const fields = dataset.fields.map(
        (field): Completion => ({
          label: field.name,
          // The library places an `info` by a style attribute, which the pages forbid.
          detail: field.label === undefined ? typeWord(field) : `${field.label}, ${typeWord(field)}`,
        }),
      );
      const named = new Set(fields.map(({ label }) => label));
      const columns = (dataset.columns ?? [])
        .filter((column) => !named.has(column))
        .map((column): Completion => ({ label: column, detail: msg('column') }));
      return { from: word.from + point + 1, options: [...fields, ...columns], validFor: /^[\p{L}\p{N}_]*$/u };
    }
    return {
      from: word.from,
      options: [
        ...datasets.map(({ name }): Completion => ({ label: name, apply: `${name}.`, detail: msg('dataset') })),
        ...metrics
          .filter(({ name }) => name !== this.metric)
          .map(({ name, label }): Completion => ({ label: name, detail: label ?? msg('metric') })),
        ...functions.map(
          ({ written, says }): Completion => ({ label: written, apply: beginningOf(written), detail: says }),
        ),
      ],
      validFor: /^[\p{L}\p{N}_]*$/u,
    };
  }

  protected override render() {
    return html`<div class="editor"></div>`;
  }
}

/** Returns a function up to its first argument: `SUM(` for `SUM(x)`. */
function beginningOf(written: string): string {
  const at = written.search(/\bx\b/);
  return at === -1 ? written : written.slice(0, at);
}

customElements.define('ui-formula', FormulaEditor);
