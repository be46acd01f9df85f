/**
 * Copies `text` to the clipboard. The clipboard API exists only in secure contexts; on a page over plain http a
 * selection is copied instead. Returns false when the browser refuses both.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types promise it; a page over plain http does not have it.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    const written = await clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (written) return true;
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const focused = deepActiveElement();
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' });
  // An open modal dialog makes everything outside inert, so the field must be inside it to be selected.
  (enclosingDialog(focused) ?? document.body).append(field);
  try {
    field.select();
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

function enclosingDialog(element: Element | null): Element | null {
  const dialog = element?.closest('dialog[open]');
  if (dialog) return dialog;
  const root = element?.getRootNode();
  return root instanceof ShadowRoot ? enclosingDialog(root.host) : null;
}

/** Returns the focused element, also within shadow roots. */
function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
