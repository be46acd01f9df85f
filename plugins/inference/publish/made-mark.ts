/**
 * Reads and writes the mark in a generated descriptor. Its hashes show later whether the document and the saved
 * queries are unchanged. The documents themselves have no mark.
 */
import { z } from 'zod';
import { hashOf } from '../../datasources/index.ts';
import type { FirstDocument } from './first-answers.ts';

const Mark = z.object({
  /** The hash of the document. */
  sha256: z.string(),
  /** Hashes of the documents of the repository that were made with it, by path. */
  documents: z.record(z.string(), z.string()),
});
export type Mark = z.infer<typeof Mark>;

const NOTICE = 'Made by service: what was made with it goes with it, unless somebody changes that.';
const MARKED = new RegExp(`<!-- ${NOTICE} ([A-Za-z0-9+/=]+) -->`);

/** Marks a descriptor as made together with a document and saved queries. */
export function writeMark(descriptor: string, document: string, documents: readonly FirstDocument[]): string {
  const mark: Mark = {
    sha256: hashOf(document),
    documents: Object.fromEntries(documents.map(({ path, text }) => [path, hashOf(text)])),
  };
  // Base64 never contains two hyphens, which an XML comment may not contain.
  const coded = Buffer.from(JSON.stringify(mark)).toString('base64');
  return `${descriptor.trimEnd()}\n<!-- ${NOTICE} ${coded} -->\n`;
}

/** Returns the mark of a descriptor; `undefined` for a descriptor that a user wrote. */
export function readMark(descriptor: string): Mark | undefined {
  const match = MARKED.exec(descriptor);
  if (match === null) return undefined;
  try {
    return Mark.safeParse(JSON.parse(Buffer.from(match[1] ?? '', 'base64').toString('utf8'))).data;
  } catch {
    // Somebody has changed the mark.
    return undefined;
  }
}
