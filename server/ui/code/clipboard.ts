/**
 * Puts `text` on the clipboard. The clipboard interface exists only in secure contexts, and this page may well be
 * opened by plain http in a local network: there the older way by a selection does it. False when the browser refuses
 * both.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types promise it, plain http does not have it.
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
  // All but an open modal dialog is inert: a field outside of it could not be selected.
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

/** Returns the focused element, also inside shadow roots. */
function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
