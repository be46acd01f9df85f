import { createWriteStream, existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import { csvLine, csvText, PLAIN_CSV } from '../../router/csv.ts';
import type { FileAnswer } from '../../router/file-answer.ts';
import { PAPERS } from '../../router/file-formats.ts';
import { CommandError } from '../installation/command-error.ts';
import { type FileOptions, fileOfAnswer, fileOfDashboard, repositoryText } from './export-files.ts';
import { languageTag, timeZone, UsageError } from './option-values.ts';
import { answerWritten, requestCommand, requestOf } from './query.ts';

const FORMATS = ['csv', 'json', 'jsonl', 'xlsx', 'pdf'] as const;
type Format = (typeof FORMATS)[number];
type LineFormat = Exclude<Format, 'xlsx' | 'pdf'>;

interface ExportOptions extends FileOptions {
  readonly out?: string;
  readonly format?: Format;
}

/** The endings of documents in the repository. */
const SAVED_QUERY = '.service';
const DASHBOARD = '.servicedash';

export function exportCommand(): Command {
  return requestCommand('export')
    .description(
      'Write the answer of a request or of a saved query to a file: CSV, JSON, JSON Lines, an Excel workbook or PDF. A dashboard is one workbook or one PDF.',
    )
    .option('--out <file>', 'the file to write; standard output without it')
    .addOption(new Option('--format <format>', 'by default by the ending of the file, else csv').choices([...FORMATS]))
    .addOption(new Option('--paper <size>', 'the paper of a PDF').choices([...PAPERS]).default('a4'))
    .option(
      '--locale <tag>',
      'the language of dates, periods and words in a workbook and a PDF, by default en; CSV for spreadsheets of that language',
      languageTag,
    )
    .option('--time-zone <name>', 'the time zone of instants in a workbook and a PDF', timeZone, 'UTC')
    .addHelpText(
      'after',
      '\nA saved query and a dashboard are named by their path in the repository: shared/sales/by-region.service.\nValues are written as they are, not as they are shown. Masked values are empty. --json is --format json.\nCSV is for programs; with --locale it is for spreadsheets: their separator and decimal sign, periods by name, and no text begins like a formula.',
    )
    .action(write);
}

async function write(file: string | undefined, options: ExportOptions): Promise<void> {
  if (file === undefined || file === '-')
    throw new UsageError('Name a file with a request, or the path of a saved query.');
  if (options.out !== undefined) refuseFolder(options.out);
  const format = options.format ?? (options.json === true ? 'json' : formatOf(options.out));
  if (file.endsWith(DASHBOARD)) {
    if (format !== 'xlsx' && format !== 'pdf')
      throw new UsageError('A dashboard is written as --format xlsx or --format pdf.');
    return writeFileOut(await fileOfDashboard(file, format, options), options.out, format);
  }
  const { request, title } = await writtenRequest(file, options);
  const answer = await answerWritten(request, options);
  if (format === 'xlsx' || format === 'pdf' || (format === 'csv' && options.locale !== undefined)) {
    await writeFileOut(await fileOfAnswer(answer, title, format, options), options.out, format);
    return note(answer, options);
  }
  const lines = Readable.from(LINES[format](answer));
  if (options.out === undefined) {
    for await (const line of lines) process.stdout.write(String(line));
  } else await pipeline(lines, createWriteStream(resolve(options.out)));
  note(answer, options);
}

/** Refuses a file that cannot be written before the question is asked. @throws CommandError */
function refuseFolder(out: string): void {
  const file = resolve(out);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${out} is a folder; name a file.`);
  if (!existsSync(dirname(file))) throw new CommandError(`The folder ${dirname(file)} does not exist.`);
}

async function writeFileOut({ bytes }: FileAnswer, out: string | undefined, format: Format): Promise<void> {
  if (out !== undefined) return writeFile(resolve(out), bytes);
  if (process.stdout.isTTY && format !== 'csv')
    throw new UsageError('Name a file with --out: a workbook or a PDF is not for a terminal.');
  process.stdout.write(bytes);
}

/** Reports the number of rows, and what is missing. */
function note({ meta: { rowCount, truncated, suppressed } }: TabularAnswer, options: ExportOptions): void {
  const notes = [
    `${rowCount} rows${options.out === undefined ? '' : ` in ${options.out}`}.`,
    ...(truncated ? ['There are more; the limit of rows ended the answer.'] : []),
    ...(suppressed === undefined ? [] : [`${suppressed.count} rows are masked: ${suppressed.reason}`]),
  ];
  process.stderr.write(`${notes.join(' ')}\n`);
}

/** Returns a request, and the title of the saved query that has it or the name of its file. */
async function writtenRequest(
  file: string,
  options: ExportOptions,
): Promise<{ readonly request: Readonly<Record<string, unknown>>; readonly title: string }> {
  const { readInputFile } = await import('../launcher-offline.ts');
  if (!file.endsWith(SAVED_QUERY))
    return { request: requestOf(await readInputFile(file), file), title: basename(file, extname(file)) };
  const document = requestOf(await repositoryText(file, options), file);
  const { source, title } = document;
  if (typeof source !== 'object' || source === null || !('request' in source))
    throw new CommandError(`${file} is no saved query.`);
  return {
    request: requestOf(JSON.stringify(source.request), file),
    title: typeof title === 'string' ? title : basename(file, SAVED_QUERY),
  };
}

function formatOf(out: string | undefined): Format {
  const ending = extname(out ?? '').slice(1);
  return FORMATS.find((format) => format === ending) ?? 'csv';
}

const LINES: Readonly<Record<LineFormat, (answer: TabularAnswer) => Iterable<string>>> = {
  *csv({ columns, records }) {
    const line = (values: readonly unknown[]) => csvLine(values.map(csvCell), PLAIN_CSV);
    yield line(columns.map(({ label }) => label));
    for (const record of records) yield line(columns.map(({ key }) => plainValue(record[key])));
  },
  *json({ columns, records }) {
    yield `${JSON.stringify({ columns: columns.map(({ key, label }) => ({ key, label })) }).slice(0, -1)},"rows":[`;
    for (const [index, record] of records.entries()) yield `${index === 0 ? '\n' : ',\n'}${rowJson(columns, record)}`;
    yield '\n]}\n';
  },
  *jsonl({ columns, records }) {
    for (const record of records) yield `${rowJson(columns, record)}\n`;
  },
};

type Row = TabularAnswer['records'][number];

function rowJson(columns: TabularAnswer['columns'], record: Row): string {
  return JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, plainValue(record[key])])));
}

function plainValue(value: Row[string] | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  return value.suppressed === true ? null : (value.value ?? null);
}

/** Writes a cell for programs: as it is, null empty, and the empty text in quotes. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text === '' ? '""' : csvText(text, PLAIN_CSV);
}
