/** Documents that are parsed once for each version that the repository reads. */
import type { ReadDocument } from '../../router/capabilities/repository.ts';
import { parseAskBox, parseDashboard, parseSavedQuery } from '../repository/index.ts';

/** Makes a reader of documents: the same read document gives the same object. */
function parsedOnce<Document extends object>(parse: (text: string) => Document): (read: ReadDocument) => Document {
  const parsed = new WeakMap<ReadDocument, Document>();
  return (read) => {
    const before = parsed.get(read);
    if (before !== undefined) return before;
    const document = parse(read.text);
    parsed.set(read, document);
    return document;
  };
}

export const savedQueryOf = parsedOnce(parseSavedQuery);
export const dashboardOf = parsedOnce(parseDashboard);
export const askBoxOf = parsedOnce(parseAskBox);

const identities = new WeakMap<object, number>();
let last = 0;

/** Returns the number of a parsed document: another document, or another version, has another number. */
export function identityOf(document: object): number {
  const present = identities.get(document);
  if (present !== undefined) return present;
  identities.set(document, ++last);
  return last;
}
