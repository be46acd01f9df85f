/** An editor of the document's source, with its problems at their lines. It is a chunk of its own, with CodeMirror. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { css, html, LitElement, type PropertyValues } from 'lit';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { codeTheme, typingOverSelection } from './code-editing.ts';
import type { ModelProblem } from './model-document.ts';

/** Fires `text` with the text after each change. */
export class DocumentEditor extends LitElement {
  static override properties = {
    value: {},
    label: {},
    problems: { attribute: false },
    isReadOnly: { type: Boolean },
  };
  static override styles = [
    shared,
    css`
      :host { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); overflow: hidden; }
      :host(:focus-within) { border-color: var(--accent); }
      .cm-editor { max-height: 70vh; }
      .cm-scroller { overflow: auto; }
    `,
  ];

  declare value: string;
  declare label: string;
  declare problems: readonly ModelProblem[];
  declare isReadOnly: boolean;
  readonly #writable = new Compartment();
  #view: EditorView | undefined;

  constructor() {
    super();
    this.value = '';
    this.label = '';
    this.problems = [];
    this.isReadOnly = false;
  }

  /** Moves to a line and shows it. */
  goTo(line: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines)).from;
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    view.focus();
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
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          yaml(),
          syntaxHighlighting(classHighlighter),
          keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap, ...historyKeymap]),
          this.#writable.of(EditorState.readOnly.of(this.isReadOnly)),
          EditorView.contentAttributes.of({ 'aria-label': this.label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) this.dispatchEvent(new CustomEvent('text', { detail: state.doc.toString() }));
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
    if (changed.has('problems')) this.#mark();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = undefined;
  }

  #mark(): void {
    const view = this.#view;
    if (view === undefined) return;
    const { doc } = view.state;
    const diagnostics = this.problems.map(({ severity, message, line = 1 }): Diagnostic => {
      const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
      return { from, to, severity, message: inWords(message) };
    });
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }

  protected override render() {
    return html`<div class="editor"></div>`;
  }
}

customElements.define('ui-document-editor', DocumentEditor);
