/** What the explorer asks the server. */
import type { Client } from '../api-client/client.ts';
import { readList, readObject, readText, type JsonObject as Unknown } from '../api-client/json.ts';
import { language, msg } from '../words/words.ts';
import { asJson } from './state/address.ts';
import type { Catalog } from './state/catalog.ts';
import { metricKey } from './state/catalog.ts';
import type { Draft, Source, Surface } from './state/draft.ts';
import { type Item, itemsOf, type JsonObject, type JsonValue, textOf } from './state/json-value.ts';
import { readCube, readModel } from './state/read-catalog.ts';
import { toRequest } from './state/typed-request.ts';
import { captionWords } from './state/words.ts';
import type { Member } from './tree-rows.ts';

export const SEMANTIC = '/rest/service/api/ai/semantic';
export const CUBE = '/rest/service/api/ai';
const REPOSITORY = '/rest/service/api/repository';

/** A model or a cube that can be explored. */
export interface Explorable {
  readonly source: Source;
  readonly label: string;
  readonly connection: string;
  readonly description: string;
  /** The part of the page's address. */
  readonly address: string;
}

/** Lists the models and cubes that the user may ask. A surface that cannot be read leaves its part out. */
export async function listExplorable(client: Client, signal: AbortSignal): Promise<readonly Explorable[]> {
  const [models, cubes] = await Promise.all([
    client.get(`${SEMANTIC}/models`, (json) => readList(json, 'the models', readModelEntry), signal),
    client
      .get(`${CUBE}/cubes`, (json) => readList(json, 'the cubes', readCubeEntry), signal)
      .catch((error: unknown) => {
        if (signal.aborted) throw error;
        return [];
      }),
  ]);
  return [...models, ...cubes];
}

function readModelEntry(json: unknown): Explorable {
  const entry = readObject(json, 'a model');
  const [connection, model] = [readText(entry, 'connectionName'), readText(entry, 'modelName')];
  return {
    source: { surface: 'semantic', names: { connection, model } },
    label: model,
    connection,
    description: readText(entry, 'description'),
    address: [connection, model].map(encodeURIComponent).join('/'),
  };
}

function readCubeEntry(json: unknown): Explorable {
  const entry = readObject(json, 'a cube');
  const cube = readText(entry, 'cubeId');
  const description = entry.description;
  return {
    source: { surface: 'cube', names: { cube } },
    label: readText(entry, 'cubeCaption'),
    connection: readText(entry, 'connectionName'),
    description: typeof description === 'string' ? description : '',
    address: cube.split('/').map(encodeURIComponent).join('/'),
  };
}

/** Returns the part of the page's address that names a model or cube. */
export function addressOf({ surface, names }: Source): string {
  const parts =
    surface === 'cube'
      ? (textOf(names, 'cube') ?? '').split('/')
      : [textOf(names, 'connection') ?? '', textOf(names, 'model') ?? ''];
  return parts
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');
}

/** Reads what a model or cube has, without its data. */
export function readCatalog(client: Client, { surface, names }: Source, signal: AbortSignal): Promise<Catalog> {
  const light = 'samples=false&requestSchema=false';
  if (surface === 'cube') {
    const cube = (textOf(names, 'cube') ?? '').split('/').map(encodeURIComponent).join('/');
    return client.get(`${CUBE}/schema/${cube}?${light}`, readCube, signal);
  }
  const [connection, model] = [textOf(names, 'connection') ?? '', textOf(names, 'model') ?? ''].map(encodeURIComponent);
  return client.get(`${SEMANTIC}/schema/${connection}/${model}?${light}`, readModel, signal);
}

/** An answer as the element takes it, unchecked, and the parts that the page itself reads. */
export interface Answer {
  readonly json: Unknown;
  readonly columns: readonly AnswerColumn[];
  readonly records: readonly Unknown[];
}

export interface AnswerColumn {
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  readonly dataType: string;
  readonly grain: string | undefined;
}

function readAnswer(json: unknown): Answer {
  const answer = readObject(json, 'the answer');
  return {
    json: answer,
    columns: readList(answer.columns, 'columns', (each) => {
      const column = readObject(each, 'a column');
      return {
        key: readText(column, 'key'),
        label: readText(column, 'label'),
        type: column.type === 'metric' ? 'metric' : 'dimension',
        dataType: typeof column.dataType === 'string' ? column.dataType : 'text',
        grain: typeof column.grain === 'string' ? column.grain : undefined,
      };
    }),
    records: readList(answer.records, 'records', (each) => readObject(each, 'a record')),
  };
}

/** Answers a draft. `more` asks for another part of it, as the element's reader does. */
export function askAnswer(
  client: Client,
  draft: Draft,
  title: string,
  signal: AbortSignal,
  more: { readonly others?: string; readonly without?: string } = {},
): Promise<Answer> {
  const { source, analytics } = draft;
  const isWhole = more.others === undefined && more.without === undefined;
  const body = {
    ...(title === '' ? {} : { title }),
    source: { surface: source.surface, request: toRequest(draft) },
    ...(analytics === undefined || !isWhole ? {} : { analytics }),
    ...more,
  };
  return client.post('/rest/service/api/view/answer', body, readAnswer, signal);
}

/** Finds what a request cannot be combined with: the reasons by the keys of things. Cubes combine with everything. */
export async function findMisfits(
  client: Client,
  draft: Draft,
  catalog: Catalog,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (draft.source.surface === 'cube' || draft.rows.length + draft.columns.length + draft.values.length === 0)
    return new Map();
  return client.post(
    `${SEMANTIC}/combinations`,
    toRequest({ ...draft, sorts: [], limit: undefined }),
    (json) => readMisfits(json, catalog),
    signal,
  );
}

function readMisfits(json: unknown, { groups }: Catalog): ReadonlyMap<string, string> {
  const body = readObject(json, 'the combinations');
  const misfits = new Map<string, string>();
  for (const each of readList(body.metrics, 'metrics', (metric) => readObject(metric, 'a metric')))
    misfits.set(metricKey(readText(each, 'metric')), readText(each, 'message'));
  const datasets = new Map(
    readList(body.datasets, 'datasets', (dataset) => readObject(dataset, 'a dataset')).map((each) => [
      readText(each, 'dataset'),
      readText(each, 'message'),
    ]),
  );
  for (const { things } of datasets.size === 0 ? [] : groups) {
    for (const { key, item } of things) {
      const message = datasets.get(textOf(item, 'dataset') ?? '');
      if (message !== undefined) misfits.set(key, message);
    }
  }
  return misfits;
}

export interface FoundValue {
  readonly value: JsonValue;
  readonly label: string;
  /** Rows with the value; undefined for members, and where the counts of small groups are hidden. */
  readonly count: number | undefined;
}

/** Searches the values of a field, or the members of a level. */
export async function searchValues(
  client: Client,
  catalog: Catalog,
  reference: Item,
  { q, limit }: { readonly q: string; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly FoundValue[]> {
  if (catalog.surface === 'cube') {
    const members = await searchMembers(client, catalog, reference, { q, limit }, signal);
    return members.map(({ caption, uniqueName }) => ({
      value: uniqueName,
      label: captionWords(caption),
      count: undefined,
    }));
  }
  const names = { dataset: textOf(reference, 'dataset') ?? '', field: textOf(reference, 'field') ?? '' };
  const query = queryText({ ...texts(catalog.source.names), ...names, q, limit: String(limit), counts: 'true' });
  return client.get(
    `${SEMANTIC}/values/search?${query}`,
    (json) => {
      const { matches, counts } = readObject(json, 'the values');
      const numbers: readonly unknown[] = Array.isArray(counts) ? counts : [];
      return readList(matches, 'matches', String).map((value, at) => {
        const count = numbers[at];
        return { value, label: value, count: typeof count === 'number' ? count : undefined };
      });
    },
    signal,
  );
}

export function searchMembers(
  client: Client,
  { source }: Catalog,
  level: Item,
  { q, parent = '', limit }: { readonly q: string; readonly parent?: string | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Member[]> {
  const { dimension, hierarchy, level: name } = texts(level);
  const query = queryText({
    cubeId: textOf(source.names, 'cube') ?? '',
    dimension: dimension ?? '',
    ...(hierarchy === undefined ? {} : { hierarchy }),
    level: name ?? '',
    parent,
    q,
    limit: String(limit),
  });
  return client.get(
    `${CUBE}/members/search?${query}`,
    (json) =>
      readList(readObject(json, 'the members').members, 'members', (each) => {
        const member = readObject(each, 'a member');
        return { caption: readText(member, 'caption'), uniqueName: readText(member, 'uniqueName') };
      }),
    signal,
  );
}

function queryText(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

function texts(item: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );
}

/** The statement that answers a request, and its plan in sentences. */
export interface Preview {
  readonly statement: string;
  readonly steps: readonly string[];
  /** The datasets whose rows the metrics aggregate. */
  readonly datasets: readonly string[];
}

export async function readPreview(client: Client, draft: Draft, signal: AbortSignal): Promise<Preview> {
  const root = draft.source.surface === 'cube' ? CUBE : SEMANTIC;
  const preview = await client.post(`${root}/query/preview`, toRequest(draft), parsePreview, signal);
  if (language === 'en' || preview.steps.length === 0) return preview;
  const { planInWords } = await import('../words/plan-words.ts');
  return { ...preview, steps: preview.steps.map((step) => planInWords(step)) };
}

function parsePreview(json: unknown): Preview {
  const body = readObject(json, 'the preview');
  if (typeof body.generatedMdx === 'string') return { statement: body.generatedMdx, steps: [], datasets: [] };
  const plan = asJson(readObject(body.plan, 'the plan'));
  return {
    statement: readText(body, 'generatedSql'),
    steps: Array.isArray(plan.steps) ? plan.steps.map(String) : [],
    datasets: itemsOf(plan, 'metrics').flatMap((metric) =>
      itemsOf(metric, 'parts').flatMap((part) => textOf(part, 'dataset') ?? []),
    ),
  };
}

export interface SavedEntry {
  readonly path: string;
  readonly title: string;
}

export function listQueries(client: Client, signal: AbortSignal): Promise<readonly SavedEntry[]> {
  return client.get(
    `${REPOSITORY}?kind=query`,
    (json) =>
      readList(json, 'the queries', (each) => {
        const entry = readObject(each, 'a query');
        return { path: readText(entry, 'path'), title: readText(entry, 'title') };
      }),
    signal,
  );
}

/** Returns whether questions in words can be asked. */
export function canAsk(client: Client, surface: Surface, signal: AbortSignal): Promise<boolean> {
  const root = surface === 'cube' ? CUBE : SEMANTIC;
  return client.get(`${root}/ask/health`, (json) => readObject(json, 'health').configured === true, signal);
}

/** The request that answers a question, or the question back with the requests to choose from. */
export type Understood =
  | { readonly request: JsonObject }
  | {
      readonly question: string;
      readonly readings: readonly { readonly label: string; readonly request: JsonObject }[];
    };

/** A question in words, and what it goes on from. */
export interface QuestionInWords {
  readonly question: string;
  /** The request of the answer before. */
  readonly previous: JsonObject | undefined;
  /** Whether one question may be asked back. */
  readonly clarify: boolean;
}

/** What happens to a question, in its order; the middle two come again for each mistake that the language model corrects. */
export type AskStep = 'reading' | 'checking' | 'correcting' | 'answering';

/** Asks the language model for the request that answers a question, and calls `onStep` at each step. */
export async function askInWords(
  client: Client,
  { surface, names }: Source,
  question: QuestionInWords,
  onStep: (step: AskStep) => void,
  signal: AbortSignal,
): Promise<Understood> {
  const root = surface === 'cube' ? CUBE : SEMANTIC;
  for await (const { event, data } of client.postForEvents(`${root}/ask/stream`, { ...question, ...names }, signal)) {
    if (event === 'answer' || event === 'clarification') return readUnderstood(data);
    const step = stepOf(event, data);
    if (step !== undefined) onStep(step);
  }
  throw new Error(msg('The answer broke off. Ask again.'));
}

function stepOf(event: string, data: unknown): AskStep | undefined {
  // After a mistake the language model thinks again.
  if (event === 'thinking') return readObject(data, 'a step').attempt === 1 ? 'reading' : 'correcting';
  if (event === 'query') return 'checking';
  if (event !== 'validation') return undefined;
  return readObject(data, 'a check').valid === true ? 'answering' : 'correcting';
}

function readUnderstood(json: unknown): Understood {
  const answer = readObject(json, 'the answer');
  if (answer.clarification === undefined) return { request: asJson(readObject(answer.queryUsed, 'the query')) };
  const clarification = readObject(answer.clarification, 'the question');
  return {
    question: readText(clarification, 'question'),
    readings: readList(clarification.readings, 'the readings', (each) => {
      const reading = readObject(each, 'a reading');
      return { label: readText(reading, 'label'), request: asJson(readObject(reading.request, 'the query')) };
    }),
  };
}
