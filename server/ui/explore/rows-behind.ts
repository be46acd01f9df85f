/** The rows behind a mark, and a cell under an assumption: answers that a panel beside the explorer shows. */
import type { Client } from '../api-client/client.ts';
import { isObject, readList, readObject, readText, type JsonObject as Unknown } from '../api-client/json.ts';
import { CUBE, readPreview, SEMANTIC, searchMembers } from './requests.ts';
import type { Catalog } from './state/catalog.ts';
import type { Draft } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import { type Item, type JsonValue, textOf, valuesOf, withMembers } from './state/json-value.ts';
import { toRequest } from './state/typed-request.ts';

/** Rows that are read. */
const MAX_ROWS = 500;
/** Fields of a dataset that its rows show, besides those of the answer. */
const MAX_FIELDS = 12;

/** Reads the rows behind a request, in the shape of an answer for the element. */
export async function readRows(client: Client, draft: Draft, catalog: Catalog, signal: AbortSignal): Promise<Unknown> {
  return draft.source.surface === 'cube'
    ? drillThrough(client, draft, signal)
    : rowDetail(client, draft, catalog, signal);
}

async function rowDetail(client: Client, draft: Draft, catalog: Catalog, signal: AbortSignal): Promise<Unknown> {
  const shown = [...draft.rows, ...draft.columns].map((item) => withMembers(item, { fill: undefined }));
  const datasets = new Set(
    draft.values.length === 0
      ? shown.map((item) => textOf(item, 'dataset') ?? '')
      : (await readPreview(client, { ...draft, sorts: [] }, signal)).datasets,
  );
  const known = new Set(shown.map((item) => findThing(item, catalog)?.key));
  const fields = catalog.groups
    .flatMap(({ things }) => things)
    .filter(({ item, key }) => datasets.has(textOf(item, 'dataset') ?? '') && !known.has(key))
    .slice(0, MAX_FIELDS)
    .map(({ item }) => item);
  const request = toRequest({ ...draft, rows: [...fields, ...shown], columns: [], sorts: [], limit: undefined });
  return client.post(
    `${SEMANTIC}/row-detail?maxrows=${MAX_ROWS}`,
    { ...request, values: plainValues(draft.values) },
    (json) => {
      const body = readObject(json, 'the rows');
      const meta = readObject(body.meta, 'meta');
      return table(
        readList(body.columns, 'columns', (each) => readObject(each, 'a column')),
        readList(body.records, 'records', (each) => readObject(each, 'a record')),
        meta.truncated === true,
      );
    },
    signal,
  );
}

/** Returns metrics without comparisons: rows have none. */
function plainValues(values: readonly Item[]): readonly Item[] {
  return values.map((value) => withMembers(value, { compare: undefined }));
}

async function drillThrough(client: Client, draft: Draft, signal: AbortSignal): Promise<Unknown> {
  const request = toRequest({
    ...draft,
    rows: [],
    columns: [],
    sorts: [],
    limit: undefined,
    values: draft.values.slice(0, 1),
  });
  const queryId = await client.post(
    `${CUBE}/query`,
    request,
    (json) => readText(readObject(json, 'the answer'), 'queryId'),
    signal,
  );
  return client.get(
    `${CUBE}/query/${encodeURIComponent(queryId)}/drillthrough?maxrows=${MAX_ROWS}&position=0:0`,
    (json) => {
      const body = readObject(json, 'the rows');
      const columns = readList(body.columns, 'columns', (each) => {
        const name = readText(readObject(each, 'a column'), 'name');
        return { key: name, label: name };
      });
      return table(
        columns,
        readList(body.rows, 'rows', (each) => readObject(each, 'a row')),
        body.truncated === true,
      );
    },
    signal,
  );
}

export const ALLOCATIONS = [
  'equal_allocation',
  'weighted_allocation',
  'equal_increment',
  'weighted_increment',
] as const;
export type Allocation = (typeof ALLOCATIONS)[number];

/** An assumed value of one cell of a cube. */
export interface Assumption {
  readonly measure: string;
  /** The shown members of the cell: each with its level. */
  readonly members: readonly { readonly level: Item; readonly caption: string }[];
  readonly value: number;
  readonly allocation: Allocation;
}

/** Returns the members that filters reduce their hierarchies to: a cell of the answer is at them. */
function slicedMembers({ filters }: Draft): readonly string[] {
  return filters.flatMap((filter) => {
    const [member, ...more] = valuesOf(filter, 'members');
    const isOne = member !== undefined && more.length === 0 && (filter.op === undefined || filter.op === 'in');
    return isOne ? [String(member)] : [];
  });
}

/** Answers a request of a cube under an assumption. */
export async function readWhatIf(
  client: Client,
  draft: Draft,
  catalog: Catalog,
  { measure, members, value, allocation }: Assumption,
  signal: AbortSignal,
): Promise<Unknown> {
  const names = await Promise.all(
    members.map(async ({ level, caption }) => {
      const found = await searchMembers(client, catalog, level, { q: caption, limit: 20 }, signal);
      return found.find((member) => member.caption === caption)?.uniqueName ?? caption;
    }),
  );
  const body = {
    query: toRequest(draft),
    changes: [{ measure, members: [...names, ...slicedMembers(draft)], value, allocation }],
  };
  return client.post(
    `${CUBE}/scenario/whatif`,
    body,
    (json) => {
      const answer = readObject(json, 'the answer');
      const { columns, rows } = readObject(answer.metadata, 'metadata');
      const heads = readList(rows, 'rows', (each) => readText(readObject(each, 'a row head'), 'key'));
      const keys = readList(columns, 'columns', (each) => readText(readObject(each, 'a column'), 'key'));
      return table(
        keys.map((key) => ({ key, label: key, type: heads.includes(key) ? 'dimension' : 'metric' })),
        readList(answer.data, 'data', (each) => readObject(each, 'a record')),
        false,
      );
    },
    signal,
  );
}

/** Makes an answer for the element of columns and records. */
function table(columns: readonly Unknown[], records: readonly Unknown[], truncated: boolean): Unknown {
  return {
    title: '',
    columns: columns.map((column) => ({
      ...column,
      type: column.type === 'metric' ? 'metric' : 'dimension',
      dataType: typeOf(records, String(column.key), column.type === 'metric'),
    })),
    records,
    meta: { rowCount: records.length, truncated },
    freshness: { computedAtMillis: Date.now(), cached: false },
  };
}

/** Returns the type of a column by its first value: numbers stand at the right. */
function typeOf(records: readonly Unknown[], key: string, isMetric: boolean): string {
  const value: unknown = records.find((record) => record[key] !== null && record[key] !== undefined)?.[key];
  if (isMetric || typeof value === 'number' || (isObject(value) && typeof value.value === 'number')) return 'decimal';
  return 'text';
}

/** Returns the cell of a record as JSON: the value itself, without its text. */
export function rawValue(cell: unknown): JsonValue {
  if (isObject(cell)) return rawValue(cell.value);
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? cell : null;
}
