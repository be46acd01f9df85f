import type { DocumentEntry } from './document-entries.ts';

/** Asks the page for its share dialog; without a document one is still to be picked. */
export type ShareRequest = CustomEvent<{ readonly document: DocumentEntry | undefined }>;

export function requestShare(from: HTMLElement, document?: DocumentEntry): void {
  from.dispatchEvent(new CustomEvent('share', { detail: { document }, bubbles: true }));
}
