/** The data of a tenant as the page shows it, read from the answers of the server. */
import type { Client } from '../api-client/client.ts';
import {
  isObject,
  type JsonObject,
  readBoolean,
  readList,
  readObject,
  readOption,
  readText,
  readTime,
} from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';
import { parseRefresh, type RefreshEntry } from './refresh-requests.ts';

/** The states in the order of urgency. */
const STATES = ['BROKEN', 'STALE', 'UNSUPPORTED', 'READY', 'DISABLED'] as const;
export type ModelState = (typeof STATES)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface ModelEntry extends Named {
  readonly kind: 'model' | 'cube' | 'unknown';
  /** The name of the model or the cube, for the explorer. */
  readonly explored: string | undefined;
  readonly state: ModelState;
  readonly problems: readonly string[];
  readonly datasets: number | undefined;
  readonly dataFrom: Date | undefined;
  readonly isReplaceable: boolean;
  /** The links that its data was imported from, without their queries. */
  readonly links: readonly string[];
}

export interface ConnectionEntry extends Named {
  readonly type: string;
  readonly place: string;
  readonly usedBy: readonly Named[];
}

export interface UploadEntry {
  readonly file: string;
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: Date;
  readonly usedBy: readonly Named[];
  /** True while a removed model that reads it can be put back. */
  readonly isNeededForUndo: boolean;
}

export interface UndoEntry extends Named {
  readonly kind: 'replaced' | 'removed';
  readonly until: Date;
}

export interface DataEntries {
  readonly models: readonly ModelEntry[];
  /** Empty for people who are not administrators. */
  readonly connections: readonly ConnectionEntry[];
  readonly uploads: readonly UploadEntry[];
  readonly refreshes: readonly RefreshEntry[];
  readonly undos: readonly UndoEntry[];
}

const DATA = '/rest/service/api/admin/data';
const MODELS = '/rest/service/api/ai/semantic/models';
const CUBES = '/rest/service/api/ai/cubes';

/** Reads everything that an administrator sees. */
export function readAllData(client: Client, signal: AbortSignal): Promise<DataEntries> {
  return client.get(DATA, parseOverview, signal);
}

/** Reads the models and cubes that anybody else may ask. */
export async function readReadableData(client: Client, signal: AbortSignal): Promise<DataEntries> {
  const [models, cubes] = await Promise.all([
    client.get(MODELS, (json) => readList(listOf(json, 'models'), 'the models', parseModelListing), signal),
    client.get(CUBES, (json) => readList(listOf(json, 'cubes'), 'the cubes', parseCubeListing), signal),
  ]);
  return { models: byUrgency([...models, ...cubes]), connections: [], uploads: [], refreshes: [], undos: [] };
}

export function parseOverview(json: unknown): DataEntries {
  const body = readObject(json, 'the data');
  return {
    models: byUrgency(readList(body.models, 'models', parseModel)),
    connections: readList(body.connections, 'connections', (item) => {
      const record = readObject(item, 'a connection');
      return {
        ...parseNamed(item),
        type: readText(record, 'type'),
        place: readText(record, 'place'),
        usedBy: readList(record.usedBy, 'usedBy', parseNamed),
      };
    }),
    uploads: readList(body.uploads, 'uploads', (item) => {
      const record = readObject(item, 'an upload');
      return {
        file: readText(record, 'file'),
        name: readText(record, 'name'),
        bytes: Number(record.bytes),
        createdAt: readTime(record, 'createdAt'),
        isNeededForUndo: readBoolean(record, 'isNeededForUndo'),
        usedBy: readList(record.usedBy, 'usedBy', parseNamed),
      };
    }),
    refreshes: readList(body.refreshes, 'refreshes', parseRefresh),
    undos: readList(body.undos, 'undos', (item) => {
      const record = readObject(item, 'a change');
      return {
        ...parseNamed(item),
        kind: readOption(record, 'kind', ['replaced', 'removed']),
        until: readTime(record, 'until'),
      };
    }),
  };
}

function parseModel(item: unknown): ModelEntry {
  const record = readObject(item, 'a model');
  return {
    ...parseNamed(item),
    kind: readOption(record, 'kind', ['model', 'cube', 'unknown']),
    explored: typeof record.model === 'string' ? record.model : undefined,
    state: readOption(record, 'status', STATES),
    problems: readList(record.problems, 'problems', (each) =>
      inWords(readText(readObject(each, 'a problem'), 'message')),
    ),
    datasets: typeof record.datasets === 'number' ? record.datasets : undefined,
    dataFrom: record.dataFrom === undefined ? undefined : readTime(record, 'dataFrom'),
    isReplaceable: readBoolean(record, 'isReplaceable'),
    links: readList(record.links, 'links', String),
  };
}

function parseModelListing(item: unknown): ModelEntry {
  const record = readObject(item, 'a model');
  const name = readText(record, 'connectionName');
  return {
    ...READABLE,
    id: name,
    name,
    kind: 'model',
    explored: readText(record, 'modelName'),
    datasets: typeof record.datasetCount === 'number' ? record.datasetCount : undefined,
  };
}

function parseCubeListing(item: unknown): ModelEntry {
  const record = readObject(item, 'a cube');
  const [connection, cube] = [readText(record, 'connectionName'), readText(record, 'cubeName')];
  return { ...READABLE, id: `${connection}/${cube}`, name: `${connection} · ${cube}`, kind: 'cube', explored: cube };
}

const READABLE = {
  state: 'READY',
  problems: [],
  datasets: undefined,
  dataFrom: undefined,
  isReplaceable: false,
  links: [],
} as const satisfies Partial<ModelEntry>;

function listOf(json: unknown, member: string): unknown {
  return isObject(json) ? json[member] : json;
}

function parseNamed(item: unknown): Named {
  const record: JsonObject = readObject(item, 'a name');
  return { id: readText(record, 'id'), name: readText(record, 'name') };
}

function byUrgency(models: readonly ModelEntry[]): readonly ModelEntry[] {
  const urgency = ({ state, problems }: ModelEntry) => STATES.indexOf(state) * 2 + (problems.length > 0 ? 0 : 1);
  return [...models].sort((one, other) => urgency(one) - urgency(other) || one.name.localeCompare(other.name));
}
