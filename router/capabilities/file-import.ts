/** Imports files of tables into a database, in a process that can be stopped. */

export const FILE_FORMATS = ['csv', 'parquet', 'json', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** What the values of a text column can be read as. */
export const COLUMN_READINGS = ['text', 'number', 'date', 'boolean'] as const;
export type ColumnReading = (typeof COLUMN_READINGS)[number];

/** What becomes of rows that are equal in every column. */
export const DUPLICATE_CHOICES = ['keep', 'drop'] as const;
export type DuplicateChoice = (typeof DUPLICATE_CHOICES)[number];

/** What becomes of dates with two digits of the year: `24` is 2024 and `69` is 1969, or the value is empty. */
export const SHORT_YEAR_CHOICES = ['read', 'empty'] as const;
export type ShortYearChoice = (typeof SHORT_YEAR_CHOICES)[number];

/** Decides how a text column is read; what is not decided is detected. */
export interface ColumnChoice {
  readonly name: string;
  /** Values that cannot be read as this become empty. */
  readonly readAs?: ColumnReading | undefined;
  /** Texts that mean a missing value, without white space around them. */
  readonly emptyValues?: readonly string[] | undefined;
  /** Numbers with another unit become empty. */
  readonly unit?: string | undefined;
  /** Puts the unit of each number into a separate text column. */
  readonly splitUnit?: boolean | undefined;
  readonly shortYears?: ShortYearChoice | undefined;
}

/** Decides how a table is read; what is not decided is detected. */
export interface TableChoices {
  /** The line of a CSV file, or the row of a sheet, with the names of the columns, from 1; 0 where there are no names. */
  readonly headerRow?: number | undefined;
  readonly duplicates?: DuplicateChoice | undefined;
  /** A column that shall be unique: the first row of each of its values is kept. */
  readonly firstOfEach?: string | undefined;
  readonly columns?: readonly ColumnChoice[] | undefined;
}

export interface ImportFile {
  /** Absolute path. */
  readonly path: string;
  /** The sender's name of the file: the extension decides the format. */
  readonly name: string;
  /** The table that it becomes; the sheets of a workbook become `table_sheet`, where several hold a table. */
  readonly table: string;
}

/** What the import reports of a table, so that no value is lost unnoticed. */
export const READING_FINDINGS = [
  'lines_above_header',
  'ragged_lines',
  'other_values',
  'values_made_empty',
  'placeholders',
  'some_units',
  'several_units',
  'short_years',
  'duplicate_rows',
  'duplicates_dropped',
  'repeated_key',
  'unmatched_rows',
] as const;
export type ReadingFindingKind = (typeof READING_FINDINGS)[number];

/** A text and the number of its occurrences. */
export interface CountedText {
  readonly text: string;
  readonly count: number;
}

/** A choice that changes what was found. */
export interface ReadingRepair {
  /** The words of a button. */
  readonly label: string;
  /** What to add to the table's choices. */
  readonly choices: TableChoices;
}

export interface ReadingFinding {
  readonly kind: ReadingFindingKind;
  readonly column?: string | undefined;
  /** Values, rows or lines that it is about, and of how many. */
  readonly count: number;
  readonly of: number;
  /** One sentence for people. */
  readonly message: string;
  /** The most frequent of the values. */
  readonly values?: readonly CountedText[] | undefined;
  readonly repairs: readonly ReadingRepair[];
}

/** Findings about a column during the import. */
export interface ImportedColumn {
  readonly name: string;
  /** The notation of the values where they are not plain values of their type, such as `decimal comma`. */
  readonly notes: readonly string[];
  /** A currency, a unit of measure or `%` beside the numbers. */
  readonly unit?: string | undefined;
  /** Whether `ColumnChoice` can decide how the column is read: true of CSV files and workbooks. */
  readonly isText: boolean;
}

/** One of the first lines of a CSV file, or rows of a sheet. */
export interface FirstRow {
  /** Its number, from 1. */
  readonly row: number;
  readonly values: readonly string[];
}

export interface ImportedTable {
  readonly table: string;
  /** The sender's name of the file. */
  readonly file: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  readonly rowCount: number;
  readonly columns: readonly ImportedColumn[];
  /** The line or row with the names of the columns, from 1; `undefined` for formats that name them otherwise. */
  readonly headerRow?: number | undefined;
  /** The first lines of a CSV file or a sheet as they stand there, to choose the header from. */
  readonly firstRows?: readonly FirstRow[] | undefined;
  readonly findings: readonly ReadingFinding[];
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  /** Choices by the name of the table. */
  readonly choices?: Readonly<Record<string, TableChoices>> | undefined;
}

export interface FileImport {
  /**
   * Reads files into a new DuckDB database at `target`, one table each, and one for each sheet of a workbook. Removes the
   * database when it fails.
   *
   * @throws ValidationError at `file` when a file cannot be read in the format of its name
   * @throws CancelledError once the signal is aborted
   */
  load(files: readonly ImportFile[], target: string, options?: ImportOptions): Promise<readonly ImportedTable[]>;
}
