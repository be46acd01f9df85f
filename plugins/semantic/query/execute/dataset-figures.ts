/** Measures how many rows a dataset has, and how many different values its foreign keys have. */
import { DAY_MS, readMoment } from '../../../../router/calendar.ts';
import type { Scalar, TableInfo, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { isMomentType } from '../../../../router/date-grains.ts';
import { isStoredTable, MAX_CHECK_MS, sql } from '../../../query-surface/index.ts';
import type { Dataset, Model } from '../../model/model.ts';
import type { DatasetFigures } from '../nodes/query-target.ts';
import { RowsRenderer } from '../render/rows.ts';

/**
 * Returns the figures of a dataset; `undefined` where the engine counts no different values approximately, because exact
 * counts cost as much as many queries.
 *
 * @param keys columns of its foreign keys
 */
export async function measured(
  dataset: Dataset,
  keys: readonly string[],
  model: Model,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<DatasetFigures | undefined> {
  const { dialect } = warehouse;
  const rows = new RowsRenderer(model, dialect);
  const root = { dataset: dataset.name, role: 0 };
  const dates = [...dataset.fields.values()].filter(({ type }) => isMomentType(type));
  const counts = keys.flatMap((column) => dialect.approximateDistinct(rows.column({ ...root, column })) ?? []);
  if (counts.length < keys.length) return undefined;
  const columns = [
    'COUNT(*) AS n',
    ...counts.map((count, index) => `${count} AS k${index}`),
    ...dates.flatMap((field, index) => {
      const value = rows.field(field);
      return [`MIN(${value}) AS l${index}`, `MAX(${value}) AS h${index}`];
    }),
  ];
  const from = rows.from({ root, bridge: [], joins: [] }, '');
  const statement = sql`SELECT ${columns.join(', ')}\n${from}`.print(dialect);
  const { values } = await warehouse.query(statement, { maxRows: 1, signal, timeoutMs: MAX_CHECK_MS });
  const at = (index: number): Scalar => values[index]?.[0] ?? null;
  return {
    rows: Number(at(0)),
    distinct: new Map(keys.map((column, index) => [column, Number(at(1 + index))])),
    dates: new Map(
      dates.flatMap(({ name }, index) => {
        const [first, last] = [0, 1].map((end) => dayOf(at(1 + keys.length + 2 * index + end)));
        return first === undefined || last === undefined ? [] : [[name, { first, last }] as const];
      }),
    ),
  };
}

/** Returns the day of a date or a moment; `undefined` for null, and for a value beyond the calendar, such as infinity. */
function dayOf(value: Scalar): number | undefined {
  const moment = value === null ? undefined : readMoment(String(value));
  return moment === undefined ? undefined : Math.floor(moment / DAY_MS);
}

/**
 * Returns whether rows change only with the version of the data. Rows of a view or a query may also change with the time.
 */
export function isStored({ source }: Dataset, tables: readonly TableInfo[]): boolean {
  return source.kind === 'table' && isStoredTable(source.table, tables);
}
