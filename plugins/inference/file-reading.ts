/** How files are read: the caller's choices, and the report about a table. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import {
  COLUMN_READINGS,
  type ColumnChoice,
  DUPLICATE_CHOICES,
  READING_FINDINGS,
  type ReadingFinding,
  SHORT_YEAR_CHOICES,
  type TableChoices,
} from '../../router/capabilities/file-import.ts';

/** Texts that one column may have for a missing value. */
const MAX_EMPTY_VALUES = 200;
const MAX_TEXT_LENGTH = 500;
const MAX_COLUMNS = 1_000;
/** Rows at the top of a file among which the header may be. */
const MAX_HEADER_ROW = 1_000;
const MAX_READING_LENGTH = 1_000_000;
const MAX_FINDINGS = 3_000;

const Text = z.string().max(MAX_TEXT_LENGTH);
const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const ColumnChoiceSchema = z
  .strictObject({
    name: Name.min(1),
    readAs: z.enum(COLUMN_READINGS).optional().meta({ description: 'Values that cannot be read so become empty.' }),
    emptyValues: list(Text, MAX_EMPTY_VALUES).optional().meta({ description: 'Texts that mean a missing value.' }),
    unit: Text.optional().meta({ description: 'Numbers with another unit become empty.' }),
    splitUnit: z
      .boolean()
      .optional()
      .meta({ description: 'Puts the unit of each number into a separate text column.' }),
    shortYears: z.enum(SHORT_YEAR_CHOICES).optional().meta({ description: 'Dates with two digits of the year.' }),
  })
  .meta({ id: 'ColumnChoice' }) satisfies z.ZodType<ColumnChoice>;

const TableChoicesSchema = z
  .strictObject({
    headerRow: z
      .number()
      .int()
      .min(0)
      .max(MAX_HEADER_ROW)
      .optional()
      .meta({ description: 'The line, or row of a sheet, with the column names, from 1; 0 where there are none.' }),
    duplicates: z
      .enum(DUPLICATE_CHOICES)
      .optional()
      .meta({ description: 'What becomes of rows that are equal in every column.' }),
    firstOfEach: Name.min(1)
      .optional()
      .meta({ description: 'A column that shall be unique: the first row of each value is kept.' }),
    columns: list(ColumnChoiceSchema, MAX_COLUMNS).optional(),
  })
  .meta({ id: 'TableChoices' }) satisfies z.ZodType<TableChoices>;

export const ReadingChoices = z.record(Name.min(1), TableChoicesSchema);

/** The choices by table as a JSON text, which a part of a multipart body is. */
export const ReadingText = z
  .string()
  .max(MAX_READING_LENGTH)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'Send JSON: {"table": {"columns": [{"name": "amount", "readAs": "number"}]}}.',
      });
      return z.NEVER;
    }
  })
  .pipe(ReadingChoices);

export const READING_DESCRIPTION =
  'How to read the tables, as JSON by the name of the table: `choices` of the repairs that `reading` of a profile offers, put together.';

const Finding = z
  .object({
    kind: z.enum(READING_FINDINGS),
    column: Name.optional(),
    count: Count.meta({ description: 'Values, rows or lines that it is about.' }),
    of: Count,
    message: z.string().max(4_000),
    values: list(z.object({ text: z.string().max(4_000), count: Count }), 100)
      .optional()
      .meta({ description: 'The most frequent of the values.' }),
    repairs: list(z.object({ label: Text, choices: TableChoicesSchema }), 10).meta({
      description: 'What to add to the choices of the table, each for another outcome.',
    }),
  })
  .meta({ id: 'ReadingFinding' }) satisfies z.ZodType<ReadingFinding>;

/** What is reported of a table that was read from a file. */
export const FileReading = z
  .object({
    file: z.string().max(1_000),
    sheet: z.string().max(100).optional(),
    headerRow: Count.optional(),
    firstRows: list(z.object({ row: Count, values: list(z.string().max(1_000), 100) }), 50)
      .optional()
      .meta({ description: 'The first lines as they are in the file, to choose the header from.' }),
    findings: list(Finding, MAX_FINDINGS).meta({
      description: 'Values and rows that are lost, or were understood in one of several ways.',
    }),
  })
  .meta({ id: 'FileReading' });
export type FileReading = z.infer<typeof FileReading>;
