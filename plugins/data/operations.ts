import { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import { operation, operations } from '../../router/operation.ts';
import { uploadedFile } from '../../router/rest/input.ts';
import { FILE_PARTS, READING_DESCRIPTION, ReadingText } from '../inference/index.ts';
import { dataOverview, type OverviewDependencies } from './overview.ts';
import { type RefreshOperationsOptions, refreshOperations } from './refresh/operations.ts';
import type { Replacements } from './replace/replacement.ts';
import {
  ByChange,
  ById,
  DataOverview,
  DatasourceId,
  Done,
  FileName,
  Removal,
  Replaced,
  Replacement,
} from './schemas.ts';
import { clearUploads, removeUpload } from './uploads.ts';

export interface DataOperationsOptions extends OverviewDependencies, RefreshOperationsOptions {
  readonly replacements: Replacements;
}

const BASE = '/rest/service/api/admin/data';
const CHOICE = 'The care of data is an addition of this product.';

const ReplacementFiles = z.strictObject({
  id: DatasourceId,
  file: uploadedFile,
  file2: uploadedFile.optional(),
  file3: uploadedFile.optional(),
  file4: uploadedFile.optional(),
  reading: ReadingText.optional().meta({ description: READING_DESCRIPTION }),
});

const Models = z.object({
  models: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
});

export function dataOperations(options: DataOperationsOptions) {
  const { replacements, removals } = options;
  return operations({
    ...refreshOperations(options),

    overview: operation({
      summary: 'List the models, connections and uploads of the tenant with their states, and what can be undone',
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
      implementationChoice: CHOICE,
    })
      .output(DataOverview)
      .query(({ ctx }) => dataOverview(userOf(ctx).tenant, options)),

    prepareReplacement: operation({
      summary: 'Compare new files with the data of a model, before they take its place',
      description:
        'Up to four files, one for each table. Columns are read as the types that the model has. Nothing is served of them until the replacement is confirmed; an unconfirmed one is removed after an hour.',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/models/{id}/replacements`, body: '*', files: FILE_PARTS, status: 201 },
      implementationChoice: CHOICE,
    })
      .input(ReplacementFiles)
      .output(Replacement)
      .mutation(({ input, ctx, signal }) => {
        const files = FILE_PARTS.flatMap((part) => input[part] ?? []);
        return replacements.prepare(userOf(ctx), { datasource: input.id, files, reading: input.reading }, signal);
      }),

    confirmReplacement: operation({
      summary: 'Put compared files into the place of the data of a model',
      description:
        'Readers see the old data or the new, never parts of both. The old data is kept for ten minutes, for an undo. Refused with 409 where a needed column is missing, or where the data was replaced since the comparison.',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/replacements/{id}/confirm` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Replaced)
      .mutation(({ input, ctx }) => replacements.apply(userOf(ctx), input.id)),

    undoReplacement: operation({
      summary: 'Put the data before a replacement back',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/replacements/{id}/undo` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Models)
      .mutation(({ input, ctx }) => replacements.undo(userOf(ctx), input.id)),

    discardReplacement: operation({
      summary: 'Remove compared files that were not confirmed',
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/replacements/{id}` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Done)
      .mutation(async ({ input, ctx }) => {
        await replacements.discard(userOf(ctx), input.id);
        return { status: 'OK' } as const;
      }),

    describeRemoval: operation({
      summary: 'Show what the removal of a datasource would take with it, and what stays',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/models/{id}/removal` },
      implementationChoice: CHOICE,
    })
      .input(ById)
      .output(Removal)
      .query(({ input, ctx }) => removals.describe(userOf(ctx), input.id)),

    undoRemoval: operation({
      summary: 'Put a removed datasource back, with its documents, tokens and grants',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/removals/{id}/undo` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Models)
      .mutation(({ input, ctx }) => removals.undo(userOf(ctx), input.id)),

    clearUploads: operation({
      summary: 'Remove all uploads that no model reads, with their connections',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/uploads/clear` },
      implementationChoice: CHOICE,
    })
      .output(z.object({ removed: z.int(), bytes: z.int() }))
      .mutation(({ ctx }) => clearUploads(userOf(ctx).tenant, options)),

    removeUpload: operation({
      summary: 'Remove an upload that no model reads, with its connection',
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/uploads/{file}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ file: FileName }))
      .output(Done)
      .mutation(async ({ input, ctx }) => {
        await removeUpload(userOf(ctx).tenant, input.file, options);
        return { status: 'OK' } as const;
      }),
  });
}
