/** The requests and responses of area B, with the names of the interface. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { CONNECTION_PARTS } from '../../router/connection-forms.ts';
import { uploadedFile } from '../../router/rest/input.ts';
import { FileReading, READING_DESCRIPTION, ReadingText } from './file-reading.ts';
import {
  DEFAULT_SAMPLE_ROWS,
  DEFAULT_TABLES,
  MAX_CELL_LENGTH,
  MAX_COLUMNS,
  MAX_KEYS,
  MAX_REFERENCES,
  MAX_SAMPLE_ROWS,
  MAX_SAMPLE_VALUES,
  MAX_TABLES,
} from './limits.ts';

export const TABLE_TYPES = ['TABLE', 'VIEW', 'MATERIALIZED VIEW'] as const;
export type TableType = (typeof TABLE_TYPES)[number];

const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const ScalarValue = z.union([z.string().max(16 * MAX_CELL_LENGTH), z.number(), z.boolean(), z.null()]);
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const ColumnNames = list(Name, 16);
/** Datasources of one connection, and names that exist, in an answer at most. */
const MAX_USES = 1_000;

export const ConnectionId = z.string().min(1).max(100);

export const Connection = z
  .object({
    id: ConnectionId,
    name: z.string(),
    type: z.string().meta({ description: 'The kind of warehouse, as in its JDBC URL: `postgresql`.' }),
    schema: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;

const ConnectionMembers = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}/]*$/u, 'A name cannot contain a slash or control characters.'),
  url: z.string().trim().min(1).max(2_000).meta({ description: 'JDBC URL: `jdbc:postgresql://db:5432/shop`.' }),
  username: z.string().max(500).optional(),
  password: z.string().max(4_000).optional(),
  schema: Name.min(1).optional(),
});
export const ConnectionRequest = ConnectionMembers.meta({ id: 'ConnectionRequest' });

export const ConnectionTestRequest = ConnectionMembers.omit({ name: true })
  .extend({
    id: ConnectionId.optional().meta({
      description: 'A saved connection: without `password`, its password is used, for the same host, port and user.',
    }),
  })
  .meta({ id: 'ConnectionTestRequest' });

/** Shows a connection without its password. */
export const ConnectionDetails = z
  .object({
    ...Connection.shape,
    url: z.string().meta({ description: 'JDBC URL without a password.' }),
    username: z.string().optional(),
    hasPassword: z.boolean(),
    isUpload: z.boolean().meta({ description: 'True for uploaded files.' }),
    usedBy: list(z.object({ id: z.string(), name: z.string() }), MAX_USES).meta({
      description: 'Datasources over the same database. They keep a copy of the address.',
    }),
  })
  .meta({ id: 'ConnectionDetails' });
export type ConnectionDetails = z.infer<typeof ConnectionDetails>;

export const ConnectionChange = ConnectionMembers.partial()
  .extend({
    id: ConnectionId,
    username: z.string().max(500).nullish(),
    schema: Name.min(1).nullish(),
    models: z.boolean().default(true).meta({
      description: 'Writes a changed address into the datasources that have the present one, too.',
    }),
  })
  .meta({ id: 'ConnectionChange' });

export const ConnectionTest = z
  .object({
    isReachable: z.boolean(),
    product: z.string().optional(),
    version: z.string().optional(),
    milliseconds: z.int().optional(),
    problem: z
      .object({
        part: z.enum(CONNECTION_PARTS).optional().meta({ description: 'The part of the connection that is wrong.' }),
        message: z.string(),
        available: list(z.string(), MAX_USES).optional(),
      })
      .optional(),
  })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTest = z.infer<typeof ConnectionTest>;

export const Column = z
  .object({
    name: Name.min(1),
    type: z.string().max(1_000).meta({ description: "The warehouse's name of the type." }),
    nullable: z.boolean(),
    distinctApprox: Count,
    sampleValues: list(ScalarValue, 20 * MAX_SAMPLE_VALUES),
    min: ScalarValue.optional(),
    max: ScalarValue.optional(),
    nulls: Count.optional().meta({ description: 'Nulls among the rows that were read.' }),
    notes: list(z.string().max(500), 20)
      .optional()
      .meta({ description: 'For files: the notation of the values, such as `decimal comma`.' }),
    readable: z.literal(true).optional().meta({
      description: 'For files: the column can be read as another type, which the part `reading` of an upload chooses.',
    }),
    unit: z.string().max(20).optional().meta({ description: 'For files: the currency or % of every number.' }),
    personal: z.literal(true).optional().meta({
      description: 'A served model of the warehouse marks the column as personal data: its values are hidden.',
    }),
  })
  .meta({ id: 'ProfileColumn' });
export type Column = z.infer<typeof Column>;

export const Table = z
  .object({
    schema: z.string().max(500),
    name: Name.min(1),
    rowCount: Count,
    columns: list(Column, MAX_COLUMNS),
    sampledRows: Count.optional().meta({
      description: 'Number of sampled rows, where the statistics are not of all rows.',
    }),
    keys: list(ColumnNames, MAX_KEYS)
      .optional()
      .meta({ description: 'Columns whose combined values are unique and never null; verified.' }),
    dependencies: list(z.object({ column: Name, determines: list(Name, 100) }), 100)
      .optional()
      .meta({ description: 'Columns whose values determine the values of others; verified.' }),
    reading: FileReading.optional().meta({
      description: 'For files: what was lost, or decided, when the file was read.',
    }),
  })
  .meta({ id: 'ProfileTable' });
export type Table = z.infer<typeof Table>;

export const Reference = z
  .object({
    schema: z.string().max(500),
    table: Name,
    columns: ColumnNames,
    refSchema: z.string().max(500),
    refTable: Name,
    refColumns: ColumnNames,
    coverage: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of the distinct values that the referenced table has.' }),
    declared: z.literal(true).optional().meta({ description: 'The table declares it as a foreign key.' }),
  })
  .meta({ id: 'ProfileReference' });
export type Reference = z.infer<typeof Reference>;

export const SchemaProfile = z
  .object({
    databaseProductName: z.string().max(200),
    databaseProductVersion: z.string().max(200),
    tables: list(Table, MAX_TABLES),
    sampledAt: z.string().max(100),
    sampleDurationMillis: z.number().min(0),
    sampleCostUsd: z.number().min(0),
    references: list(Reference, MAX_REFERENCES)
      .optional()
      .meta({ description: 'Candidates for foreign keys: declared keys and looked-up inclusions.' }),
  })
  .meta({ id: 'SchemaProfile' });
export type SchemaProfile = z.infer<typeof SchemaProfile>;

const TableTypes = z
  .array(z.string().trim().pipe(z.enum(TABLE_TYPES)))
  .min(1)
  .max(TABLE_TYPES.length);

export const ProfileConnectionInput = z.strictObject({
  id: ConnectionId,
  schema: Name.min(1).optional(),
  maxTables: z.number().int().min(1).max(MAX_TABLES).default(DEFAULT_TABLES),
  tableTypes: TableTypes.default(['TABLE']),
  body: z.looseObject({}).optional(),
});

export const SampleInput = z.strictObject({
  id: ConnectionId,
  table: Name.min(1),
  schema: Name.min(1).optional(),
  rows: z.number().int().min(1).max(MAX_SAMPLE_ROWS).default(DEFAULT_SAMPLE_ROWS),
});

export const SampleResult = z
  .object({
    schema: z.string(),
    table: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(ScalarValue)),
    personal: z.array(z.string()).optional().meta({
      description: 'Columns that are left out, as a served model of the warehouse marks them as personal data.',
    }),
  })
  .meta({ id: 'SampleResult' });

export const ProfileFileInput = z.strictObject({
  file: uploadedFile,
  reading: ReadingText.optional().meta({ description: READING_DESCRIPTION }),
  tableTypes: z
    .string()
    .max(200)
    .optional()
    .refine((text) => text === undefined || text.split(',').every((each) => isTableType(each.trim())), {
      message: `A comma list of ${TABLE_TYPES.join(', ')}.`,
    }),
});

function isTableType(text: string): boolean {
  return TABLE_TYPES.some((each) => each === text);
}
