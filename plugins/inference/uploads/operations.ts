import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { CountedOperation } from '../../../router/counted-operation.ts';
import { uploadedFile } from '../../../router/rest/input.ts';
import { READING_DESCRIPTION, ReadingText } from '../file-reading.ts';
import { Connection, ConnectionId, SchemaProfile } from '../schemas.ts';
import { type KeepUploadDependencies, keepUpload } from './keep-upload.ts';

/** Parts of the body, each a file: as many as a multipart body may have. */
export const FILE_PARTS = ['file', 'file2', 'file3', 'file4'] as const;

const UploadRequest = z.strictObject({
  file: uploadedFile,
  file2: uploadedFile.optional(),
  file3: uploadedFile.optional(),
  file4: uploadedFile.optional(),
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{Cc}/]*$/u, 'A name cannot contain a slash or control characters.')
    .optional()
    .meta({ description: 'Name of the connection; the default is the name of the first file.' }),
  reading: ReadingText.optional().meta({ description: READING_DESCRIPTION }),
  replaces: ConnectionId.optional().meta({
    description:
      'A connection of kept files that the new one replaces, for instance to read the same files in another way.',
  }),
});

/** Returns the operation that keeps uploaded files as a connection. */
export function uploadOperations({
  operation,
  ...dependencies
}: KeepUploadDependencies & { readonly operation: CountedOperation }) {
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
      .output(z.object({ connection: Connection, profile: SchemaProfile }).meta({ id: 'ImportedFiles' }))
      .mutation(async ({ input, ctx, signal }) => {
        const files = FILE_PARTS.flatMap((part) => input[part] ?? []);
        return keepUpload(dependencies, userOf(ctx).tenant, { ...input, files }, signal);
      }),
  };
}
