import { z } from 'zod';

const Problem = z.strictObject({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  line: z.int().optional().meta({ description: 'Line of the descriptor or of its document.' }),
});

/** Contains neither a password nor the JDBC URL, which may contain one. */
export const DatasourceListing = z
  .strictObject({
    id: z.string(),
    name: z.string().meta({ description: 'The `connectionName` of queries.' }),
    file: z.string().meta({ description: 'Name of the descriptor file.' }),
    type: z.enum(['SEMANTIC', 'OLAP']).nullable(),
    enabled: z.boolean(),
    status: z.enum(['READY', 'BROKEN', 'STALE', 'DISABLED', 'UNSUPPORTED']).meta({
      description: 'STALE: the present version is broken and an earlier one goes on serving.',
    }),
    problems: z.array(Problem),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'DatasourceListing' });
export type DatasourceListing = z.infer<typeof DatasourceListing>;

/** Matches text that an XML 1.0 document can contain on one line. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(text), 'This holds a character that cannot be written.');

/** The members are the elements of a descriptor. */
export const DatasourceRequest = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/, 'An id is 1 to 64 letters, digits, dots, hyphens or underscores.')
      .optional()
      .meta({ description: 'Also the name of the descriptor file; made up where it is left out.' }),
    name: line(100),
    type: z.enum(['SEMANTIC', 'OLAP']),
    semanticYaml: line(4096).optional().meta({ description: 'Path of the semantic document on the server.' }),
    cubeSchema: line(4096).optional().meta({ description: 'Path of the cube schema on the server.' }),
    location: line(4096).meta({ description: 'JDBC URL of the warehouse.' }),
    schema: line(200).optional(),
    username: line(1000).optional(),
    password: line(1000).optional(),
    advanced: z.boolean().optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'DatasourceRequest' });
export type DatasourceRequest = z.infer<typeof DatasourceRequest>;

const Names = z.array(z.string()).optional();

export const Removed = z.strictObject({
  status: z.literal('OK'),
  removed: Names.describe('Documents that went with it: files beside the descriptor, and paths of the repository.'),
  kept: Names.describe('Documents of it that stay, as somebody has written or changed them.'),
  undo: z.string().optional().describe('Puts all of it back, until `undoUntil`.'),
  undoUntil: z.iso.datetime().optional(),
});
