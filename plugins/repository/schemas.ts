import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { AskBox } from './documents/ask-box.ts';
import { Dashboard } from './documents/dashboard.ts';
import { DocumentKind } from './documents/kinds.ts';
import { SavedQuery } from './documents/saved-query.ts';

export const DocumentPath = PathText.meta({
  description: 'Repository path such as `shared/demo/sales.service` or `homes/<user>/sales.servicedash`.',
});

const stored = {
  path: DocumentPath,
  kind: DocumentKind,
  updatedAt: z.iso.datetime().meta({ description: 'Time of the last change.' }),
};

export const DocumentListing = z
  .strictObject({
    ...stored,
    title: z.string().meta({ description: 'The title; the file name of a broken document.' }),
  })
  .meta({ id: 'DocumentListing' });
export type DocumentListing = z.infer<typeof DocumentListing>;

export const StoredDocument = z.strictObject(stored).meta({ id: 'StoredDocument' });

export const DocumentAnswer = z
  .strictObject({ ...stored, document: z.union([SavedQuery, Dashboard, AskBox]) })
  .meta({ id: 'DocumentAnswer' });

/** The body of a PUT. Its kind follows from the path, so it is checked after the path is known. */
export const DocumentBody = z.unknown().meta({
  description: 'A SavedQuery, a Dashboard or an AskBox, by the extension; or the unchanged answer of a read.',
  anyOf: [
    { $ref: '#/components/schemas/SavedQuery' },
    { $ref: '#/components/schemas/Dashboard' },
    { $ref: '#/components/schemas/AskBox' },
    { $ref: '#/components/schemas/DocumentAnswer' },
  ],
});

/** Accepts the answer of a read as the body of a write: path and time are ignored, the document counts. */
export const ReadDocument = z.strictObject({
  path: DocumentPath.optional(),
  kind: DocumentKind.optional(),
  updatedAt: stored.updatedAt.optional(),
  document: z.unknown(),
});

export const Removed = z.strictObject({ status: z.literal('OK') });
