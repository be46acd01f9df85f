/** Answers as files: what a reader may see, as CSV, as a workbook or as PDF. */
import { z } from 'zod';
import type {
  AnswerFiles,
  Notation,
  OthersNeeded,
  PaperTask,
  Sheet,
  TitledAnswer,
} from '../../router/capabilities/answer-files.ts';
import { ServiceError, ValidationError } from '../../router/errors.ts';
import { FileAnswer } from '../../router/file-answer.ts';
import { FILE_FORMATS, type FileFormat, PAPERS, type Paper } from '../../router/file-formats.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { FileLocale, type FileSort, fileName, isAccepted, sortRecords } from '../files/index.ts';
import { jsonOf } from './others.ts';

/** Refusals of a tile: it says so, as on a page. Any other failure is one of the whole file, which can be asked for again. */
const NOT_AVAILABLE: ReadonlySet<number> = new Set([400, 401, 403, 404, 409]);

/** Answers of one dashboard that are read at the same time. */
const READS_AT_A_TIME = 4;

const formatNames = Object.keys(FILE_FORMATS) as [FileFormat, ...FileFormat[]];

/** The query parameters of a read that may answer a file. */
export const FILE_QUERY = ['format', 'paper', 'locale', 'timeZone', 'labels'] as const;

const Sort = z.strictObject({ column: z.string().max(3 * MAX_NAME_LENGTH), direction: z.enum(['asc', 'desc']) });
const TileSorts = z.record(z.string().max(64), Sort);

export const SortText = z
  .string()
  .max(2_000)
  .optional()
  .describe('For a file: the order of its rows, `{"column": key, "direction": "asc" or "desc"}`.');

export const TileSortsText = z
  .string()
  .max(100_000)
  .optional()
  .describe('For a file: the order of rows by tile, `{"by-region": {"column": key, "direction": "desc"}}`.');

/** Reads the order of rows. @throws ValidationError at `sort` */
export function parseSort(text: string | undefined): FileSort | undefined {
  return text === undefined ? undefined : parseOrder(text, Sort, 'sort');
}

/** Reads the orders of rows by tile. @throws ValidationError at `tileSorts` */
export function parseTileSorts(text: string | undefined): ReadonlyMap<string, FileSort> {
  return new Map(Object.entries(text === undefined ? {} : parseOrder(text, TileSorts, 'tileSorts')));
}

function parseOrder<Order>(text: string, schema: z.ZodType<Order>, place: 'sort' | 'tileSorts'): Order {
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const shape = '{"column": key, "direction": "asc" or "desc"}';
  throw ValidationError.at([place], `${place} has to be ${place === 'sort' ? shape : `{tile: ${shape}}`}.`);
}

/**
 * Returns an answer with its rows in another order.
 *
 * @throws ValidationError at `place` where it has no such column
 */
export function sorted<Answer extends TitledAnswer>(
  answer: Answer,
  sort: FileSort | undefined,
  { locale = 'en' }: FileRequest,
  place: 'sort' | 'tileSorts',
): Answer {
  if (sort === undefined) return answer;
  const keys = answer.columns.map(({ key }) => key);
  if (!keys.includes(sort.column))
    throw ValidationError.at([place], `The answer has no column "${sort.column}".`, keys);
  return { ...answer, records: [...sortRecords(answer, sort, locale)] };
}

export const FILE_TYPES = Object.values(FILE_FORMATS).map(({ contentType }) => contentType);

const TimeZone = z
  .string()
  .max(100)
  .refine(
    (name) => isAccepted(() => new Intl.DateTimeFormat('en', { timeZone: name })),
    'timeZone must be an IANA name such as Europe/Berlin',
  )
  .optional()
  .describe('For a file: the time zone of instants. Default `UTC`.');

/** The members of an input that ask for a file. */
export const FileQuery = {
  format: z
    .enum(formatNames, `format must be one of ${formatNames.join(', ')}`)
    .optional()
    .describe('Answers a file in place of JSON: `csv`, `xlsx` or `pdf`.'),
  paper: z
    .enum(PAPERS, `paper must be one of ${PAPERS.join(', ')}`)
    .optional()
    .describe('Of a PDF: `a4` (default) or `letter`.'),
  locale: FileLocale,
  timeZone: TimeZone,
  labels: z
    .enum(['model', 'locale'], 'labels must be model or locale')
    .optional()
    .describe(
      'Of a file: `locale` names periods in the language of `locale` (default where `locale` is given), `model` as the model writes them.',
    ),
};

export interface FileRequest {
  readonly format?: FileFormat | undefined;
  readonly paper?: Paper | undefined;
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly labels?: 'model' | 'locale' | undefined;
}

/** A layout as its readers see it, and how to read its tiles with data. */
export interface DashboardToWrite {
  readonly layout: { readonly title: string; readonly description?: string | undefined };
  readonly tiles: readonly {
    readonly id: string;
    readonly title: string;
    /** The order of its rows; undefined for that of its query. */
    readonly sort?: FileSort | undefined;
    /** @param others the rest to read in place of the answer: the text of the parameter of that name */
    read(others?: string): Promise<TitledAnswer>;
  }[];
}

const TextsByTile = z.record(z.string().max(64), z.string().max(100_000));

export const TileFiltersText = z
  .string()
  .max(200_000)
  .optional()
  .describe('For a file: JSON of a filter by tile, in the place of `filter`: `{"by-region": "{…}"}`.');

export const TileDrillsText = z
  .string()
  .max(200_000)
  .optional()
  .describe('For a file: JSON of the steps down by tile, each a text as `drill` has it: `{"by-region": "[…]"}`.');

/**
 * Reads a text for each tile.
 *
 * @throws ValidationError at `place` for an unknown shape
 */
export function parseByTile(
  place: 'tileFilters' | 'tileDrills',
  text: string | undefined,
): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const parsed = TextsByTile.safeParse(jsonOf(text));
  if (!parsed.success) throw ValidationError.at([place], `${place} must be a JSON object of texts by tile.`);
  return new Map(Object.entries(parsed.data));
}

/** Writes one answer. A PDF is a page with its table. */
export async function answerFile(
  files: AnswerFiles,
  answer: TitledAnswer,
  filters: readonly string[],
  request: FileRequest & { readonly format: FileFormat },
  signal: AbortSignal | undefined,
): Promise<FileAnswer> {
  const { format, paper = 'a4' } = request;
  const { title, description } = answer;
  const notation = notationOf(request);
  if (format !== 'pdf') {
    const task = { kind: format, title, sheets: [answer], filters, ...notation };
    return toFile(title, format, await files.workbooks.run(task, signal));
  }
  const tile = { id: 'answer', kind: 'table', x: 0, y: 0, w: 12, h: 4 };
  const layout = { title, ...(description === undefined ? {} : { description }), tiles: [tile] };
  const task = { paper, layout, tiles: { answer }, filters, ...notation };
  return toFile(title, format, await paperOf(files, task, async () => ({}), signal));
}

/** Writes a dashboard: a sheet for each tile with data, or its pages. A tile that cannot be read says so. */
export async function dashboardFile(
  files: AnswerFiles,
  { layout, tiles }: DashboardToWrite,
  request: FileRequest & { readonly format: FileFormat },
  signal: AbortSignal | undefined,
): Promise<FileAnswer> {
  const { format, paper = 'a4' } = request;
  if (format === 'csv')
    throw ValidationError.at(['format'], 'A dashboard is no single table. Ask for the CSV of one of its tiles.', [
      'xlsx',
      'pdf',
    ]);
  const notation = notationOf(request);
  const received = await readAll(tiles);
  signal?.throwIfAborted();
  const read = tiles.map(({ id, title, sort }) => {
    const answer = received.get(id);
    return { id, title, answer: answer && sorted(answer, sort, request, 'tileSorts'), filters: answer?.filters ?? [] };
  });
  if (format === 'pdf') {
    const answers = Object.fromEntries(read.flatMap(({ id, answer }) => (answer === undefined ? [] : [[id, answer]])));
    const filters = filtersOfAll(read.filter(({ answer }) => answer !== undefined));
    const task = { paper, layout, tiles: answers, filters, ...notation };
    const readOthers = async ({ others }: OthersNeeded) => {
      const asked = tiles.filter(({ id }) => others[id] !== undefined);
      const rests = await readAll(asked.map((tile) => ({ ...tile, read: () => tile.read(others[tile.id]) })));
      return Object.fromEntries([...rests].filter(([, answer]) => answer !== undefined));
    };
    return toFile(layout.title, format, await paperOf(files, task, readOthers, signal));
  }
  const sheets = read.map(({ title, answer }): Sheet => {
    return answer === undefined ? { title, missing: true } : { ...answer, title };
  });
  const task = { kind: format, title: layout.title, sheets, filters: [], ...notation };
  return toFile(layout.title, format, await files.workbooks.run(task, signal));
}

/** Writes a document. Its charts may first ask for the rests of their series. */
async function paperOf(
  { papers }: AnswerFiles,
  task: PaperTask,
  readOthers: (needed: OthersNeeded) => Promise<Readonly<Record<string, unknown>>>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const first = await papers.run(task, signal);
  if (first instanceof Uint8Array) return first;
  const others = await readOthers(first);
  signal?.throwIfAborted();
  const written = await papers.run({ ...task, others }, signal);
  if (written instanceof Uint8Array) return written;
  throw new Error('A document asked twice for the rests of its series.');
}

/** Lists what narrows a dashboard: first what narrows all of its tiles, then what narrows one, with the title of that tile. */
function filtersOfAll(
  tiles: readonly { readonly title: string; readonly filters: readonly string[] }[],
): readonly string[] {
  const isOfAll = (filter: string) => tiles.every(({ filters }) => filters.includes(filter));
  const all = new Set(tiles.flatMap(({ filters }) => filters.filter(isOfAll)));
  const single = tiles.flatMap(({ title, filters }) => {
    const own = filters.filter((filter) => !all.has(filter));
    return own.length === 0 ? [] : [`${title}: ${own.join(', ')}`];
  });
  return [...all, ...single];
}

/** Reads the answers of tiles. One that its readers would see as not available has none. */
async function readAll(tiles: DashboardToWrite['tiles']): Promise<ReadonlyMap<string, TitledAnswer | undefined>> {
  const answers = new Map<string, TitledAnswer | undefined>();
  const waiting = [...tiles];
  const work = async () => {
    for (let tile = waiting.shift(); tile !== undefined; tile = waiting.shift()) {
      answers.set(
        tile.id,
        await tile.read().catch((error: unknown) => {
          if (error instanceof ServiceError && NOT_AVAILABLE.has(error.status)) return undefined;
          throw error;
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, work));
  return answers;
}

/** Returns how a file is written. Without `locale` the names of periods are those of the model, as on a page without it. */
export function notationOf({ locale, timeZone = 'UTC', labels }: FileRequest): Notation {
  return { locale: locale ?? 'en', timeZone, labels: labels ?? (locale === undefined ? 'model' : 'locale') };
}

function toFile(title: string, format: FileFormat, bytes: Uint8Array): FileAnswer {
  return new FileAnswer(bytes, FILE_FORMATS[format].contentType, fileName(title, format));
}
