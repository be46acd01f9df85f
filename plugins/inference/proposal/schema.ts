/** A proposal of cubes, as the interface has it, with optional members of ours. */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { DATE_FORMS } from '../detect/written-dates.ts';
import { MAX_TABLES } from '../limits.ts';
import { LANGUAGES } from './titles.ts';

const AGGREGATORS = ['sum', 'count', 'min', 'max', 'avg', 'distinct-count'] as const;
const LEVEL_TYPES = ['String', 'Numeric', 'Integer', 'Boolean', 'Date', 'Time', 'Timestamp'] as const;
export const DATE_PARTS = ['year', 'quarter', 'month', 'day'] as const;
export type DatePart = (typeof DATE_PARTS)[number];

const WRITABLE = /^[^\p{Cc}\ufffe\uffff]*$/u;

/** Returns whether a cube schema can have a name. */
export function isWritable(name: string): boolean {
  return WRITABLE.test(name) && !/\p{Cs}/u.test(name);
}

const Label = Name.min(1)
  .regex(WRITABLE, 'No control characters.')
  .refine((text) => !/\p{Cs}/u.test(text), 'No halves of characters.');
const Reason = z.string().max(500).optional().meta({ description: 'Why it was proposed; not part of the cube.' });

const Measure = z
  .object({
    name: Label,
    column: Label,
    aggregator: z.enum(AGGREGATORS),
    weight: Label.optional().meta({
      description: 'Of an average: the column of the fact table that weights it, such as the quantity of a price.',
    }),
    format: z.string().max(100).optional().meta({ description: 'Format string: `#,##0.00`.' }),
    unit: z.string().max(20).optional().meta({ description: 'Unit of the values: `EUR`, `kg`.' }),
    where: z
      .object({ column: Label, value: Label })
      .optional()
      .meta({ description: 'Counts only rows in which a text column of the fact table has this value.' }),
    reason: Reason,
  })
  .meta({ id: 'ProposedMeasure' });

export const Level = z
  .object({
    name: Label,
    column: Label,
    type: z.enum(LEVEL_TYPES),
    uniqueMembers: z.boolean(),
    datePart: z.enum(DATE_PARTS).optional().meta({ description: 'The part of a date column that the level shows.' }),
    dateForm: z.enum(DATE_FORMS).optional().meta({
      description:
        'Beside `datePart`: how a column of texts or whole numbers writes its dates; what is no date is null.',
    }),
    tableName: Label.optional().meta({ description: 'For a dimension with joins: the table of the column.' }),
    parentColumn: Label.optional().meta({
      description: 'Of a tree: the column with the key of the parent in the same table. The level is the only one.',
    }),
    nameColumn: Label.optional().meta({
      description: 'The column with the names of members that `column` identifies.',
    }),
    members: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Approximate number of different values of the column, from the profile.' }),
  })
  .meta({ id: 'ProposedLevel' });
export type Level = z.infer<typeof Level>;

const Join = z
  .object({
    tableSchema: z.string().max(500),
    tableName: Label,
    leftKey: Label.meta({ description: 'Column of the table before it.' }),
    rightKey: Label,
  })
  .meta({ id: 'ProposedJoin' });

export const Dimension = z
  .object({
    name: Label,
    foreignKey: z
      .string()
      .max(500)
      .meta({ description: 'Column of the fact table; empty where the levels are columns of the fact table itself.' }),
    tableSchema: z.string().max(500),
    tableName: Label,
    primaryKey: z.string().max(500),
    levels: list(Level, 50),
    joins: list(Join, 5)
      .optional()
      .meta({ description: 'Tables that are joined behind the first one, in their order.' }),
    reason: Reason,
  })
  .meta({ id: 'ProposedDimension' });
export type Dimension = z.infer<typeof Dimension>;

export const CompositeKey = z
  .object({
    columns: list(Label, 16).meta({ description: 'Columns of the fact table.' }),
    tableSchema: z.string().max(500),
    tableName: Label,
    keyColumns: list(Label, 16).meta({ description: 'Columns of that table, in the same order: its key.' }),
    attributes: list(Label, 100).meta({ description: 'Columns of that table to group by.' }),
    reason: Reason,
  })
  .refine(({ columns, keyColumns }) => columns.length === keyColumns.length, 'As many columns on both sides.')
  .meta({ id: 'ProposedCompositeKey' });
export type CompositeKey = z.infer<typeof CompositeKey>;

const PlacedColumn = z.object({ tableSchema: z.string().max(500), tableName: Label, column: Label });

const Attribute = PlacedColumn.extend({
  isTime: z.literal(true).optional().meta({ description: 'A date, timestamp or instant.' }),
  reason: z.string().max(500).optional().meta({ description: 'Why no level and no measure shows it.' }),
});

export const Cube = z
  .object({
    name: Label,
    factTableSchema: z.string().max(500),
    factTableName: Label,
    measures: list(Measure, 500),
    dimensions: list(Dimension, 500),
    personal: list(PlacedColumn, 1_000)
      .optional()
      .meta({ description: 'Personal columns that the semantic model marks: no dimension shows them.' }),
    notPersonal: list(PlacedColumn, 1_000).optional().meta({
      description:
        'Columns that the detectors wrongly mark as personal data: a proposal of a language model shows them.',
    }),
    notes: list(z.string().max(500), 100).optional().meta({
      description: 'Notes on columns that the cube leaves out or converts, with the reason.',
    }),
    attributes: list(Attribute, 5_000).optional().meta({
      description: 'Other columns of the tables, which the semantic model has as fields.',
    }),
    compositeKeys: list(CompositeKey, 50).optional().meta({
      description: 'Tables behind a key of several columns, for the semantic model: a cube joins by one column.',
    }),
  })
  .meta({ id: 'ProposedCube' });
export type Cube = z.infer<typeof Cube>;

const LeftOut = z
  .object({ tableSchema: z.string().max(500), tableName: Label, reason: z.string().max(2_000) })
  .meta({ id: 'LeftOutTable' });

export const CubeProposal = z
  .object({
    schemaName: Label,
    cubes: list(Cube, 100),
    leftOut: list(LeftOut, MAX_TABLES)
      .optional()
      .meta({ description: 'Tables of the profile that are in no cube, each with the reason.' }),
    language: z
      .enum(LANGUAGES)
      .optional()
      .meta({ description: 'The language of the titles that are added to the data; English where it is missing.' }),
  })
  .meta({ id: 'CubeProposal' });
export type CubeProposal = z.infer<typeof CubeProposal>;

export const Validation = z
  .object({ valid: z.boolean(), cubeCount: z.number().int(), warnings: z.array(z.string()) })
  .meta({ id: 'ProposalValidation' });
export type Validation = z.infer<typeof Validation>;

export const Summary = z
  .object({
    measures: z.array(z.string()),
    dimensions: z.array(z.string()),
    joinGraph: z.array(z.object({ from: z.string(), to: z.string(), fromColumn: z.string(), toColumn: z.string() })),
  })
  .meta({ id: 'ProposalSummary' });
export type Summary = z.infer<typeof Summary>;

/** Condenses a proposal: names of measures and dimensions, each once, and the joins. */
export function summarise({ cubes }: CubeProposal): Summary {
  const joins = cubes.flatMap((cube) =>
    cube.dimensions.flatMap(({ foreignKey, tableName, primaryKey, joins: further = [] }) => {
      if (foreignKey === '') return [];
      const first = { from: cube.factTableName, to: tableName, fromColumn: foreignKey, toColumn: primaryKey };
      const tables = [tableName, ...further.map((join) => join.tableName)];
      return [
        first,
        ...further.map((join, index) => ({
          from: tables[index] ?? tableName,
          to: join.tableName,
          fromColumn: join.leftKey,
          toColumn: join.rightKey,
        })),
      ];
    }),
  );
  const unique = <T>(values: readonly T[]): T[] => [
    ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
  ];
  return {
    measures: unique(cubes.flatMap(({ measures }) => measures.map(({ name }) => name))),
    dimensions: unique(cubes.flatMap(({ dimensions }) => dimensions.map(({ name }) => name))),
    joinGraph: unique(joins),
  };
}
