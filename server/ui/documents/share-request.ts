import type { DocumentEntry } from './document-entries.ts';

/** Asks the page to open its share dialog. Without a document, the dialog first shows the document picker. */
export type ShareRequest = CustomEvent<{ readonly document: DocumentEntry | undefined }>;

export function requestShare(from: HTMLElement, document?: DocumentEntry): void {
  from.dispatchEvent(new CustomEvent('share', { detail: { document }, bubbles: true }));
}
