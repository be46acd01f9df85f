import { z } from 'zod';
import { list } from '../../../router/bounded.ts';
import { userOf } from '../../../router/calling-user.ts';
import type { LinkedFiles } from '../../../router/capabilities/linked-files.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { uploadedFile } from '../../../router/rest/input.ts';
import { READING_DESCRIPTION, ReadingChoices, ReadingText } from '../file-reading.ts';
import { Connection, ConnectionId, SchemaProfile } from '../schemas.ts';
import { type KeepUploadDependencies, keepUpload } from './keep-upload.ts';

/** Parts of the body, each a file: as many as a multipart body may have. */
export const FILE_PARTS = ['file', 'file2', 'file3', 'file4'] as const;

/** Links of one import. */
const Links = list(z.string().trim().min(1).max(4_000), FILE_PARTS.length)
  .min(1)
  .meta({ description: 'Links to files, such as https://files.example.com/exports/orders.csv.' });

/** Entries of the setting in an answer. */
const MAX_ALLOWED_LINKS = 10_000;

const NAMES = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{Cc}/]*$/u, 'A name cannot contain a slash or control characters.')
    .optional()
    .meta({ description: 'Name of the connection; the default is the name of the first file.' }),
  replaces: ConnectionId.optional().meta({
    description:
      'A connection of kept files that the new one replaces, for instance to read the same files in another way.',
  }),
} as const;

const UploadRequest = z.strictObject({
  file: uploadedFile,
  file2: uploadedFile.optional(),
  file3: uploadedFile.optional(),
  file4: uploadedFile.optional(),
  reading: ReadingText.optional().meta({ description: READING_DESCRIPTION }),
  ...NAMES,
});

const LinksRequest = z.strictObject({
  urls: Links,
  reading: ReadingChoices.optional().meta({ description: 'How to read the tables, by the name of the table.' }),
  ...NAMES,
});

const ImportedFiles = z.object({ connection: Connection, profile: SchemaProfile }).meta({ id: 'ImportedFiles' });

/** Returns the operation that keeps uploaded files as a connection. */
export function uploadOperations({
  operation,
  links,
  ...dependencies
}: KeepUploadDependencies & { readonly operation: CountedOperation; readonly links: LinkedFiles }) {
  return {
    keepFiles: operation({
      summary: 'Keep uploaded files as a connection',
      description:
        'Up to four .csv, .parquet, .json or .xlsx files become the tables of a database below the data folder, which is saved as a connection and profiled. Removing the connection removes it, unless a published datasource reads it.',
      access: 'administrator-key',
      rest: { method: 'POST', path: '/me/inference/import', body: '*', files: FILE_PARTS, status: 201 },
      implementationChoice: 'Keeping files is a choice of this product.',
    })
      .input(UploadRequest)
      .output(ImportedFiles)
      .mutation(async ({ input, ctx, signal }) => {
        const files = FILE_PARTS.flatMap((part) => input[part] ?? []);
        return keepUpload(dependencies, userOf(ctx).tenant, { ...input, files }, signal);
      }),

    allowedLinks: operation({
      summary: 'List the hosts and beginnings of links that data may be imported from',
      access: 'administrator-key',
      rest: { method: 'GET', path: '/me/inference/import/links' },
      implementationChoice: 'Importing from links is a choice of this product.',
    })
      .output(z.object({ allowed: list(z.string(), MAX_ALLOWED_LINKS) }))
      .query(() => ({ allowed: [...links.allowed] })),

    keepLinks: operation({
      summary: 'Download files from links, and keep them as a connection',
      description:
        'Up to four links to .csv, .parquet, .json or .xlsx files, at hosts that `service.links.allow` names. Redirects are followed to allowed links only. A file larger than `service.inference.maxUploadMb` is refused. Otherwise like uploaded files.',
      access: 'administrator-key',
      rest: { method: 'POST', path: '/me/inference/import/links', body: '*', status: 201 },
      implementationChoice: 'Importing from links is a choice of this product.',
    })
      .input(LinksRequest)
      .output(ImportedFiles)
      .mutation(async ({ input: { urls, ...input }, ctx, signal }) => {
        const { files, release } = await links.fetch(urls, signal);
        try {
          return await keepUpload(dependencies, userOf(ctx).tenant, { ...input, files, links: urls }, signal);
        } finally {
          await release();
        }
      }),
  };
}
