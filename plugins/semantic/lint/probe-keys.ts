/** Checks in the data that keys are unique. Reads only counts, never a value. */

import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import { plural } from '../../../router/plural.ts';
import type { Dataset, Model } from '../model/model.ts';
import type { Problems } from '../model/problems.ts';
import type { Draft } from '../model/read-draft.ts';
import { renderSource } from '../model/source.ts';

/** Checks the keys of a draft in the warehouse. @throws the warehouse's error */
export async function probeKeys(draft: Draft, model: Model, warehouse: Warehouse, problems: Problems): Promise<void> {
  const probed = new Map<string, Promise<Uniqueness>>();
  const probe = (dataset: Dataset, columns: readonly string[]) => {
    const key = JSON.stringify([dataset.name, columns]);
    const uniquenessOfKey = probed.get(key) ?? uniqueness(dataset, columns, warehouse);
    probed.set(key, uniquenessOfKey);
    return uniquenessOfKey;
  };
  for (const dataset of model.datasets.values()) {
    const place = draft.datasets.find(({ name }) => name === dataset.name)?.place ?? draft.place;
    for (const columns of dataset.keys) {
      const isPrimary = columns === dataset.primaryKey;
      const { repeated, withNull } = await probe(dataset, columns);
      const key = `${isPrimary ? 'primary_key' : 'unique_keys'} ${columns.join(', ')}`;
      const at = [...place, isPrimary ? 'primary_key' : 'unique_keys'];
      if (repeated > 0)
        problems.error(at, `${key} is no key: the data has ${times(repeated, 'value')} on more than one row.`);
      if (isPrimary && withNull > 0) problems.error(at, `${key} is no key: it is null on ${times(withNull, 'row')}.`);
    }
  }
  for (const { name, to, toColumns, toIsUnique } of model.relationships) {
    const dataset = model.datasets.get(to);
    if (toIsUnique || dataset === undefined) continue;
    const place = draft.relationships.find((one) => one.name === name)?.place ?? draft.place;
    const { repeated } = await probe(dataset, toColumns);
    const columns = toColumns.join(', ');
    problems.warn(
      place,
      repeated === 0
        ? `in the data ${columns} is unique in ${to}: if that is always so, add unique_keys: [[${columns}]] to it.`
        : `in the data ${columns} is not unique in ${to}: ${times(repeated, 'value')} on more than one row.`,
    );
  }
}

interface Uniqueness {
  /** The number of values (of all columns together) that more than one row has. */
  readonly repeated: number;
  /** The number of rows where one of the columns is null. */
  readonly withNull: number;
}

async function uniqueness(dataset: Dataset, columns: readonly string[], warehouse: Warehouse): Promise<Uniqueness> {
  const { dialect } = warehouse;
  const source = renderSource(dataset.source, dialect);
  const names = columns.map((column) => dialect.identifier(column));
  const complete = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const missing = names.map((name) => `${name} IS NULL`).join(' OR ');
  const groups = `SELECT 1 AS one FROM ${source} AS dataset_rows WHERE ${complete} GROUP BY ${names.join(', ')} HAVING COUNT(*) > 1`;
  return {
    repeated: await count(`SELECT COUNT(*) AS n FROM (${groups}) AS repeated`, warehouse),
    withNull: await count(`SELECT COUNT(*) AS n FROM ${source} AS dataset_rows WHERE ${missing}`, warehouse),
  };
}

async function count(sql: string, warehouse: Warehouse): Promise<number> {
  const { values } = await warehouse.query({ sql, parameters: [] }, { maxRows: 1 });
  const cell = values[0]?.[0];
  if (typeof cell !== 'number' && typeof cell !== 'bigint')
    throw new InternalError('a count returned a value that is not a number');
  return Number(cell);
}

export function times(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${plural(count, what)}`;
}
