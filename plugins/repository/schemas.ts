import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { AskBox } from './documents/ask-box.ts';
import { Dashboard } from './documents/dashboard.ts';
import { DocumentKind } from './documents/kinds.ts';
import { SavedQuery } from './documents/saved-query.ts';
import { VERSION_CHANGES } from './versions.ts';

export const DocumentPath = PathText.meta({
  description: 'Repository path such as `shared/demo/sales.service` or `homes/<user>/sales.servicedash`.',
});

const stored = {
  path: DocumentPath,
  kind: DocumentKind,
  updatedAt: z.iso.datetime().meta({ description: 'Time of the last change.' }),
};

const version = z.string().max(64).meta({ description: 'The version of the content. `If-Match` of a write takes it.' });

export const DocumentListing = z
  .strictObject({
    ...stored,
    changedBy: z
      .string()
      .optional()
      .meta({ description: 'The user of the last change here; absent where it is unknown.' }),
    title: z.string().meta({ description: 'The title; the file name of a broken document.' }),
    queries: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of a dashboard: the paths of the saved queries that its tiles show.' }),
  })
  .meta({ id: 'DocumentListing' });
export type DocumentListing = z.infer<typeof DocumentListing>;

export const StoredDocument = z.strictObject({ ...stored, version }).meta({ id: 'StoredDocument' });

export const DocumentAnswer = z
  .strictObject({ ...stored, version, document: z.union([SavedQuery, Dashboard, AskBox]) })
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

/** Accepts the answer of a read as the body of a write: path, time and version are ignored, the document counts. */
export const ReadDocument = z.strictObject({
  path: DocumentPath.optional(),
  kind: DocumentKind.optional(),
  updatedAt: stored.updatedAt.optional(),
  version: version.optional(),
  document: z.unknown(),
});

export const Removed = z.strictObject({ status: z.literal('OK') });

const VersionId = z.string().min(1).max(64);

export const DocumentVersionList = z
  .array(
    z.strictObject({
      id: VersionId.meta({ description: 'Names the version when it is restored.' }),
      version,
      change: z.enum(VERSION_CHANGES).meta({
        description:
          '`saved` or `restored` here; `before` is the content that a change found, made outside of these operations.',
      }),
      user: z.string().optional().meta({ description: 'Absent where it is unknown.' }),
      createdAt: z.iso.datetime(),
      isPresent: z.boolean().meta({ description: 'Whether the document has this content now.' }),
    }),
  )
  .meta({ id: 'DocumentVersionList' });

export const RestoreRequest = z.strictObject({ path: DocumentPath, id: VersionId });

export const MoveRequest = z.strictObject({ from: DocumentPath, to: DocumentPath });

export const MovedDocument = z
  .strictObject({
    ...stored,
    version,
    dashboards: z
      .array(DocumentPath)
      .meta({ description: 'Dashboards with a tile of this query, which now names the new path.' }),
  })
  .meta({ id: 'MovedDocument' });
