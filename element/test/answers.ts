/** Creates answers like the server's embed reads. */

type Json = Readonly<Record<string, unknown>>;

export function dimension(key: string, label: string, dataType = 'text'): Json {
  return { key, label, type: 'dimension', dataType };
}

/** Creates a column of periods or parts of dates with their labels. */
export function periods(key: string, label: string, labels: Readonly<Record<string, string>>, dataType = 'date'): Json {
  return { key, label, type: 'dimension', dataType, grain: key.split('.').at(-1), labels };
}

export function metric(key: string, label: string, dataType = 'decimal'): Json {
  return { key, label, type: 'metric', dataType, aggregationKind: 'sum' };
}

export function cell(value: number | string | null, formatted: string | null): Json {
  return { value, formatted };
}

export function answer(columns: readonly Json[], records: readonly Json[], more: Json = {}): Json {
  return {
    title: 'Sales by region',
    columns,
    records,
    meta: { rowCount: records.length, truncated: false },
    freshness: { computedAtMillis: 1_790_000_000_000, cached: true },
    ...more,
  };
}

/** Two regions, two metrics; the returns are negative. */
export const SALES = answer(
  [dimension('stores.region', 'Region'), metric('net_sales', 'Net sales'), metric('returns', 'Returns')],
  [
    { 'stores.region': 'North', net_sales: cell(1234.5, '1,234.50 €'), returns: cell(-20, '-20.00 €') },
    { 'stores.region': 'South', net_sales: cell(987, '987.00 €'), returns: cell(0, '0.00 €') },
  ],
);

export const NAMES_ONLY = answer([dimension('a', 'First'), dimension('b', 'Second')], [{ a: 'x', b: 'y' }]);

export const NO_ROWS = answer([dimension('a', 'First'), metric('m', 'Metric')], []);

/** Creates `count` rows, numbered from 1. */
export function manyRows(count: number): Json {
  return answer(
    [dimension('id', 'Order', 'integer'), metric('m', 'Net sales')],
    Array.from({ length: count }, (_, index) => ({ id: index + 1, m: cell(index, `${index}.00`) })),
  );
}

export const EMBED_INVALID = { error: 'EMBED_INVALID', message: 'This embed is not available.' };
