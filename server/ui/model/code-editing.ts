/** What the editors of formulas and documents have in common: their look, from the colours of the page, and typing. */
import { EditorView } from '@codemirror/view';

export const codeTheme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--code)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 4px', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-wash)',
  },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shade)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--code)', fontSize: '13px', maxHeight: '260px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', lineHeight: '20px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': {
    fontFamily: 'var(--body)',
    fontStyle: 'normal',
    fontSize: '12px',
    opacity: '0.85',
    marginLeft: '12px',
  },
  '.cm-completionInfo': { fontFamily: 'var(--body)', padding: '8px' },
  '.cm-tooltip-lint': { maxWidth: 'min(420px, 90vw)', listStyle: 'none' },
  '.cm-diagnostic': { padding: '8px 12px', fontFamily: 'var(--body)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '4px',
    padding: '2px 8px',
    margin: '2px 4px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.tok-keyword': { color: 'var(--accent)' },
  '.tok-typeName, .tok-propertyName': { color: 'var(--accent)' },
  '.tok-string, .tok-string2': { color: 'var(--good)' },
  '.tok-number, .tok-bool': { color: 'var(--warn)' },
  '.tok-comment': { color: 'var(--muted)', fontStyle: 'italic' },
});

/**
 * Replaces a selection by what is typed over it. The browser would keep the look of the replaced text in a style attribute,
 * which the pages forbid.
 */
export const typingOverSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { readOnly, selection } = view.state;
    if (inputType !== 'insertText' || data === null || readOnly || selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});
