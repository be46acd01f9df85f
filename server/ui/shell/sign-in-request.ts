/** Asks the page to open its sign-in dialog. */
export function requestSignIn(from: HTMLElement): void {
  from.dispatchEvent(new Event('sign-in', { bubbles: true, composed: true }));
}
