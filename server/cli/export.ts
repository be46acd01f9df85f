import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import { DEFAULT_TENANT, isAccountName } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import { placesOf } from '../tenants/tenant-folders.ts';
import { UsageError } from './option-values.ts';
import { answerWritten, type QueryOptions, requestCommand, requestOf } from './query.ts';

const FORMATS = ['csv', 'json', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];

interface ExportOptions extends QueryOptions {
  readonly out?: string;
  readonly format?: Format;
}

/** The ending of a saved query in the repository. */
const SAVED_QUERY = '.service';

export function exportCommand(): Command {
  return requestCommand('export')
    .description('Write the answer of a request, or of a saved query, to a file: CSV, JSON or JSON Lines.')
    .option('--out <file>', 'the file to write; standard output without it')
    .addOption(new Option('--format <format>', 'by default by the ending of the file, else csv').choices([...FORMATS]))
    .addHelpText(
      'after',
      '\nA saved query is named by its path in the repository: shared/sales/by-region.service.\nValues are written as they are, not as they are shown. Masked values are empty. --json is --format json.',
    )
    .action(write);
}

async function write(file: string | undefined, options: ExportOptions): Promise<void> {
  if (file === undefined || file === '-')
    throw new UsageError('Name a file with a request, or the path of a saved query.');
  const answer = await answerWritten(await writtenRequest(file, options), options);
  const format = options.format ?? (options.json === true ? 'json' : formatOf(options.out));
  const lines = Readable.from(LINES[format](answer));
  if (options.out === undefined) {
    for await (const line of lines) process.stdout.write(String(line));
  } else await pipeline(lines, createWriteStream(resolve(options.out)));
  const { rowCount, truncated, suppressed } = answer.meta;
  const notes = [
    `${rowCount} rows${options.out === undefined ? '' : ` in ${options.out}`}.`,
    ...(truncated ? ['There are more; the limit of rows ended the answer.'] : []),
    ...(suppressed === undefined ? [] : [`${suppressed.count} rows are masked: ${suppressed.reason}`]),
  ];
  process.stderr.write(`${notes.join(' ')}\n`);
}

async function writtenRequest(
  file: string,
  { home, tenant }: ExportOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { readInputFile } = await import('../launcher-offline.ts');
  if (!file.endsWith(SAVED_QUERY)) return requestOf(await readInputFile(file), file);
  const setup = existingHome(home, tenant);
  const { repository } = placesOf(setup.home, tenant === DEFAULT_TENANT || !isAccountName(tenant) ? undefined : tenant);
  if (!/^(shared|homes\/[^/]+)\//.test(file) || file.split('/').includes('..'))
    throw new UsageError('The path of a saved query begins with shared/ or homes/NAME/.');
  const text = await readFile(join(repository, file), 'utf8').catch(() => {
    throw new CommandError(`There is no saved query ${file} in this home.`);
  });
  const document = requestOf(text, file);
  const { source } = document;
  if (typeof source !== 'object' || source === null || !('request' in source))
    throw new CommandError(`${file} is no saved query.`);
  return requestOf(JSON.stringify(source.request), file);
}

function formatOf(out: string | undefined): Format {
  const ending = extname(out ?? '').slice(1);
  return FORMATS.find((format) => format === ending) ?? 'csv';
}

const LINES: Readonly<Record<Format, (answer: TabularAnswer) => Iterable<string>>> = {
  *csv({ columns, records }) {
    yield `${columns.map(({ label }) => csvCell(label)).join(',')}\r\n`;
    for (const record of records) yield `${columns.map(({ key }) => csvCell(plainValue(record[key]))).join(',')}\r\n`;
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

/** Writes a cell as RFC 4180 does; null is empty, and the empty text is in quotes. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
