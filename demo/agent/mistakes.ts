/** Every kind of mistake that the interface documents, with its correction from the error alone. */

// biome-ignore lint/suspicious/noExplicitAny: an agent edits JSON whose shape it has read in a JSON Schema.
export type Body = Record<string, any>;

/** Contains the content of an error: the place, the message, and the legal values there, nearest first. */
export interface ErrorContent {
  readonly field: string;
  readonly message: string;
  readonly available: readonly string[];
}

export interface Mistake {
  readonly title: string;
  readonly wrong: Body;
  /**
   * Corrects the body where no candidate fits. By default the nearest candidate replaces the value at the reported
   * place.
   */
  readonly mend?: (body: Body, error: ErrorContent) => void;
}

const region = { dataset: 'stores', field: 'region' };
const base = { connection: 'demo', model: 'shop', rows: [region], values: [{ metric: 'net_sales' }] };

export const SEMANTIC_MISTAKES: readonly Mistake[] = [
  { title: 'an unknown dataset', wrong: { ...base, rows: [{ dataset: 'store', field: 'region' }] } },
  { title: 'an unknown field', wrong: { ...base, rows: [{ dataset: 'stores', field: 'regoin' }] } },
  { title: 'an unknown metric', wrong: { ...base, values: [{ metric: 'net_sale' }] } },
  {
    title: 'an unknown filter operator',
    wrong: { ...base, filters: [{ ...region, op: 'EQUALS', value: 'North' }] },
    mend: (body) => {
      body.filters[0].op = 'EQ';
    },
  },
  {
    title: 'BETWEEN with one value',
    wrong: { ...base, filters: [{ dataset: 'sales', field: 'date', op: 'BETWEEN', values: ['2025-01-01'] }] },
    mend: (body) => void body.filters[0].values.push('2025-12-31'),
  },
  {
    title: 'an aggregation that the metric does not take',
    wrong: { ...base, values: [{ metric: 'line_count', aggregation: 'AVG' }] },
  },
  {
    title: 'a sort that names both a metric and a field',
    wrong: { ...base, sorts: [{ metric: 'net_sales', field: 'stores.region', direction: 'DESC' }] },
    mend: (body) => {
      delete body.sorts[0].field;
    },
  },
  {
    title: 'a limit of 0',
    wrong: { ...base, limit: 0 },
    mend: (body) => {
      body.limit = 5;
    },
  },
  {
    title: 'nothing to show',
    wrong: { connection: 'demo', model: 'shop' },
    mend: (body) => {
      body.values = [{ metric: 'net_sales' }];
    },
  },
  {
    title: 'a field that is hidden as personal data, which is as unknown as any',
    wrong: { ...base, rows: [{ dataset: 'customers', field: 'full_name' }] },
    mend: (body, { available }) => {
      body.rows[0].field = available.find((name) => name === 'segment') ?? available[0];
    },
  },
];

const category = { dimension: 'Product', level: 'Category' };
const cube = { cube: 'demo-cubes/Shop/Shop/Sales', measures: [{ name: 'Net Sales' }], rows: [category] };

export const CUBE_MISTAKES: readonly Mistake[] = [
  { title: 'an unknown measure', wrong: { ...cube, measures: [{ name: 'Net Sale' }] } },
  { title: 'an unknown dimension', wrong: { ...cube, rows: [{ dimension: 'Produkt', level: 'Category' }] } },
  { title: 'an unknown level', wrong: { ...cube, rows: [{ dimension: 'Product', level: 'Categorie' }] } },
  {
    title: 'a member that the level has not',
    wrong: { ...cube, filters: [{ dimension: 'Store', level: 'Region', members: ['Nord'] }] },
  },
  {
    title: 'a measure that needs a choice of time',
    wrong: { ...cube, measures: [{ name: 'Net Sales a Year Before' }] },
    mend: (body) => {
      body.filters = [{ dimension: 'Time', level: 'Year', members: ['2025'] }];
    },
  },
];

/** Sets the value at a place such as `rows[0].field`. */
export function setAt(body: Body, place: string, value: unknown): void {
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop();
  let at = body;
  for (const step of steps) at = at[step];
  if (last !== undefined) at[last] = value;
}
