/** Reads the values of metrics for all data. */
import type { Client } from '../api-client/client.ts';
import { isObject, readList, readObject } from '../api-client/json.ts';
import type { ModelDocument } from './model-document.ts';

/** The most metrics of one request. */
const METRICS_AT_ONCE = 20;

/** Returns the shown value of each metric that queries can use. A request that fails leaves its values out. */
export async function readMetricValues(
  client: Client,
  { connection, model, metrics }: ModelDocument,
): Promise<ReadonlyMap<string, string>> {
  const names = metrics.filter(({ isServed }) => isServed).map(({ name }) => name);
  const values = new Map<string, string>();
  for (let at = 0; at < names.length; at += METRICS_AT_ONCE) {
    const body = { connection, model, values: names.slice(at, at + METRICS_AT_ONCE).map((metric) => ({ metric })) };
    const read = await client
      .post('/rest/service/api/ai/semantic/query', body, parseValues)
      .catch(() => new Map<string, string>());
    for (const [name, value] of read) values.set(name, value);
  }
  return values;
}

function parseValues(json: unknown): ReadonlyMap<string, string> {
  const [record] = readList(readObject(json, 'the answer').records, 'records', (item) => readObject(item, 'a record'));
  return new Map(
    Object.entries(record ?? {}).flatMap(([name, cell]) =>
      isObject(cell) && typeof cell.formatted === 'string' ? [[name, cell.formatted] as const] : [],
    ),
  );
}
