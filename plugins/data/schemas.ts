/** The requests and answers of the care of data. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { zoneNamed } from '../../router/time-zone.ts';
import {
  MAX_COMPARED_COLUMNS,
  MAX_COMPARED_TABLES,
  MAX_EVERY_MINUTES,
  MAX_LINKS,
  MAX_LISTED,
  MIN_EVERY_MINUTES,
} from './limits.ts';
import { REFRESH_SOURCES } from './tables.ts';

const Timestamp = z.iso.datetime();
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Text = z.string().max(4_000);
const Names = list(z.string(), MAX_COMPARED_COLUMNS);

export const DatasourceId = z.string().min(1).max(200).meta({ description: 'The id of a datasource.' });
const ChangeId = z.string().min(1).max(100);

export const ComparedTable = z.object({
  name: z.string(),
  rowsBefore: Count.nullable().meta({ description: 'null where the table is new.' }),
  rowsAfter: Count.nullable().meta({ description: 'null where the table goes.' }),
  columnsAdded: Names,
  columnsRemoved: Names,
  columnsChanged: list(z.object({ name: z.string(), before: z.string(), after: z.string() }), MAX_COMPARED_COLUMNS),
  dates: list(
    z.object({
      column: z.string(),
      fromBefore: z.string().nullable(),
      toBefore: z.string().nullable(),
      fromAfter: z.string().nullable(),
      toAfter: z.string().nullable(),
    }),
    MAX_COMPARED_COLUMNS,
  ),
});
export type ComparedTable = z.infer<typeof ComparedTable>;

const ComparedModel = z.object({
  id: z.string(),
  name: z.string(),
  problems: list(Text, MAX_LISTED).meta({
    description: 'What the model would lose. Where there are any, it is refused.',
  }),
  totals: list(
    z.object({ metric: z.string(), label: z.string(), before: z.number().nullable(), after: z.number().nullable() }),
    MAX_LISTED,
  ),
  unmatched: list(
    z.object({
      relationship: z.string(),
      from: z.string(),
      to: z.string(),
      columns: Names,
      before: Count,
      after: Count,
    }),
    MAX_LISTED,
  ).meta({ description: 'Rows with a key that the other table has not.' }),
  breaks: list(
    z.object({
      kind: z.string(),
      path: z.string(),
      title: z.string(),
      tile: z.string().optional(),
      message: Text,
    }),
    MAX_LISTED,
  ).meta({ description: 'Saved queries, tiles, tokens and grants that would not be answered any more.' }),
});
export type ComparedModel = z.infer<typeof ComparedModel>;

export const Replacement = z
  .object({
    id: ChangeId,
    datasource: z.string(),
    isPossible: z.boolean().meta({ description: 'False where a needed column or table is missing.' }),
    reasons: list(Text, MAX_LISTED).meta({ description: 'Why it is not possible, each with the way on.' }),
    findings: list(Text, MAX_LISTED).meta({ description: 'What was found while the files were read.' }),
    matched: list(z.object({ file: z.string(), table: z.string() }), MAX_COMPARED_TABLES),
    tables: list(ComparedTable, MAX_COMPARED_TABLES),
    models: list(ComparedModel, MAX_LISTED),
    expiresAt: Timestamp,
  })
  .meta({ id: 'DataReplacement' });
export type Replacement = z.infer<typeof Replacement>;

/** What new files change in the data of a model. */
export const Comparison = Replacement.omit({ id: true, datasource: true, expiresAt: true }).meta({
  id: 'DataComparison',
});
export type Comparison = z.infer<typeof Comparison>;

export const Replaced = z
  .object({
    undo: ChangeId,
    undoUntil: Timestamp,
    models: list(z.object({ id: z.string(), name: z.string(), status: z.string() }), MAX_LISTED),
  })
  .meta({ id: 'ReplacedData' });

export const Removal = z
  .object({
    id: z.string(),
    name: z.string(),
    goes: list(z.object({ kind: z.string(), name: z.string() }), MAX_LISTED).meta({
      description: 'What goes with the datasource: documents, saved queries, dashboards, tokens, grants, the data.',
    }),
    stays: list(z.object({ kind: z.string(), name: z.string(), reason: Text }), MAX_LISTED),
    undoMinutes: z.int(),
  })
  .meta({ id: 'DatasourceRemoval' });
export type Removal = z.infer<typeof Removal>;

export const Upload = z
  .object({
    file: z.string().meta({ description: 'The name of its database in the folder of uploads.' }),
    name: z.string().meta({ description: 'The name of its connection, or of its model.' }),
    bytes: Count,
    createdAt: Timestamp,
    connectionId: z.string().optional(),
    isNeededForUndo: z
      .boolean()
      .meta({ description: 'True while a removed datasource that reads it can be put back.' }),
    usedBy: list(z.object({ id: z.string(), name: z.string() }), MAX_LISTED),
  })
  .meta({ id: 'Upload' });
export type Upload = z.infer<typeof Upload>;

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write a time of day as HH:MM, such as 06:30.');
const TimeZone = z
  .string()
  .max(64)
  .refine((name) => zoneNamed(name) !== undefined, 'Write a time zone by its IANA name, such as Europe/Berlin.');

/** Either an interval, or a time of day in a time zone. */
const RHYTHM = {
  everyMinutes: z.int().min(MIN_EVERY_MINUTES).max(MAX_EVERY_MINUTES).optional(),
  at: TimeOfDay.optional().meta({ description: 'A time of day: `06:30`.' }),
  timeZone: TimeZone.optional().meta({ description: 'IANA name of the zone of `at`; UTC without it.' }),
} as const;

export const RefreshRequest = z
  .strictObject({
    datasource: DatasourceId,
    source: z.enum(REFRESH_SOURCES).exclude(['rollup']).default('folder').meta({
      description:
        '`links`: the links that the data was imported from. `connection`: the tables of a saved connection with the names of those of the model.',
    }),
    folder: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .regex(/^[^\p{Cc}]*$/u)
      .optional()
      .meta({
        description: 'A folder below the data folder of the tenant: `inbox/sales`. With the source `folder` only.',
      }),
    connection: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The id of a saved connection. With the source `connection` only.' }),
    ...RHYTHM,
  })
  .refine(({ everyMinutes, at }) => (everyMinutes === undefined) !== (at === undefined), {
    path: ['everyMinutes'],
    message: 'Give either everyMinutes or a time of day in at.',
  })
  .refine(({ source, folder }) => (source === 'folder') === (folder !== undefined), {
    path: ['folder'],
    message: 'Give a folder with the source folder, and with no other.',
  })
  .refine(({ source, connection }) => (source === 'connection') === (connection !== undefined), {
    path: ['connection'],
    message: 'Give a connection with the source connection, and with no other.',
  })
  .meta({ id: 'RefreshRequest' });

export const Refresh = z
  .object({
    id: ChangeId,
    datasource: z.string(),
    name: z.string(),
    source: z.enum(REFRESH_SOURCES).meta({
      description: '`rollup`: the data itself, for the table of a roll-up whose model declares its refresh.',
    }),
    rollup: z.string().optional().meta({ description: 'The roll-up that is refreshed.' }),
    folder: z.string().meta({ description: 'Empty where the source is no folder.' }),
    connection: z.string().optional().meta({ description: 'The id of the saved connection of the source.' }),
    links: list(z.string(), MAX_LINKS).meta({ description: 'The links of the source, without their queries.' }),
    everyMinutes: z.int().optional(),
    at: z.string().optional(),
    timeZone: z.string().optional(),
    isPaused: z.boolean(),
    isRunning: z.boolean(),
    nextRun: Timestamp.nullable().meta({ description: 'null while it is paused.' }),
    lastRun: Timestamp.nullable(),
    lastResult: z.enum(['replaced', 'unchanged', 'failed']).nullable(),
    lastMessage: z.string().nullable().meta({ description: 'In words; after a failure the data is as it was before.' }),
    isCompared: z.boolean().meta({ description: 'True where the last files that were read have a comparison.' }),
  })
  .meta({ id: 'ScheduledRefresh' });
export type Refresh = z.infer<typeof Refresh>;

export const DataOverview = z
  .object({
    models: list(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.enum(['model', 'cube', 'unknown']),
        model: z.string().optional(),
        status: z.enum(['READY', 'BROKEN', 'STALE', 'DISABLED', 'UNSUPPORTED']),
        problems: list(z.object({ severity: z.enum(['error', 'warning']), message: Text }), MAX_LISTED),
        datasets: z.int().optional(),
        metrics: z.int().optional(),
        dataFrom: Timestamp.optional().meta({ description: 'When the file of its data was written.' }),
        isReplaceable: z
          .boolean()
          .meta({ description: 'True where its data are files that were uploaded or imported.' }),
        links: list(z.string(), MAX_LINKS).meta({
          description: 'The links that its data was imported from, without their queries.',
        }),
        connectionIds: list(z.string(), MAX_LISTED),
      }),
      MAX_LISTED,
    ),
    connections: list(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        place: z.string().meta({ description: 'Host, port and database, or the file, without user and password.' }),
        createdAt: Timestamp,
        usedBy: list(z.object({ id: z.string(), name: z.string() }), MAX_LISTED),
      }),
      MAX_LISTED,
    ),
    uploads: list(Upload, MAX_LISTED),
    refreshes: list(Refresh, MAX_LISTED).meta({ description: 'Scheduled refreshes.' }),
    undos: list(
      z.object({
        id: ChangeId,
        kind: z.enum(['replaced', 'removed']),
        datasource: z.string(),
        name: z.string(),
        by: z.string(),
        until: Timestamp,
      }),
      MAX_LISTED,
    ).meta({ description: 'Changes that can be undone.' }),
  })
  .meta({ id: 'DataOverview' });
export type DataOverview = z.infer<typeof DataOverview>;

export const ById = z.strictObject({ id: DatasourceId });
export const ByChange = z.strictObject({ id: ChangeId });
export const FileName = Name.min(1).regex(/^[A-Za-z0-9._-]+$/, 'The name of a file has no folder.');
export const Done = z.object({ status: z.literal('OK') });
