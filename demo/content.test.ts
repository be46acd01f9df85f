import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHART_MODES } from '../router/chart-modes.ts';
import { type AskableWarehouse, generated } from './testing/warehouse.ts';

const CONTENT = new URL('content/', import.meta.url);
const FOLDER = 'shared/demo/';

const Expression = z.object({
  dialects: z.tuple([z.object({ dialect: z.literal('ANSI_SQL'), expression: z.string() })]),
});
const Extensions = z.array(
  z.object({ vendor_name: z.string(), data: z.string().transform((data): unknown => JSON.parse(data)) }),
);
const Named = z.object({
  name: z.string(),
  label: z.string().optional(),
  description: z.string().optional(),
  expression: Expression,
  custom_extensions: Extensions.optional(),
});
const Model = z.object({
  name: z.string(),
  datasets: z.array(
    z.object({ name: z.string(), source: z.string(), primary_key: z.array(z.string()), fields: z.array(Named) }),
  ),
  relationships: z.array(
    z.object({ from: z.string(), to: z.string(), from_columns: z.array(z.string()), to_columns: z.array(z.string()) }),
  ),
  metrics: z.array(Named),
});
const Field = z.strictObject({ dataset: z.string(), field: z.string(), grain: z.string().optional() });
const Source = z.strictObject({
  surface: z.literal('semantic'),
  request: z.strictObject({
    connection: z.literal('demo'),
    model: z.literal('shop'),
    rows: z.array(Field).default([]),
    values: z.array(
      z.strictObject({
        metric: z.string(),
        compare: z.strictObject({ to: z.literal('previous_year') }).optional(),
      }),
    ),
    filters: z.array(Field.extend({ op: z.string(), value: z.string().optional() })).default([]),
    sorts: z
      .array(
        z.strictObject({
          metric: z.string().optional(),
          field: z.string().optional(),
          direction: z.enum(['ASC', 'DESC']),
        }),
      )
      .default([]),
    limit: z.int().positive().optional(),
  }),
});
type Source = z.output<typeof Source>;
const SavedQuery = z.strictObject({
  version: z.literal(1),
  title: z.string(),
  description: z.string(),
  source: Source,
  chart: z.record(z.string(), z.unknown()).optional(),
  analytics: z
    .strictObject({
      kind: z.enum(['forecast', 'anomaly']),
      timeAxis: z.string(),
      method: z.string(),
      horizon: z.int().optional(),
    })
    .optional(),
});
const Place = { id: z.string(), x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) };
const Query = z.union([z.strictObject({ path: z.string() }), z.strictObject({ source: Source })]);
const Dashboard = z.strictObject({
  version: z.literal(1),
  title: z.string(),
  description: z.string(),
  layout: z.strictObject({ columns: z.literal(12) }),
  tiles: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ ...Place, kind: z.literal('text'), text: z.string() }),
      z.strictObject({
        ...Place,
        kind: z.literal('filter'),
        title: z.string(),
        field: z.string(),
        drives: z.array(z.string()).optional(),
      }),
      z.strictObject({
        ...Place,
        kind: z.literal('chart'),
        title: z.string(),
        chartType: z.enum(CHART_MODES),
        chart: z.record(z.string(), z.unknown()).optional(),
        query: Query,
      }),
      z.strictObject({
        ...Place,
        kind: z.literal('kpi'),
        title: z.string(),
        measure: z.string(),
        chart: z.record(z.string(), z.unknown()).optional(),
        query: Query,
      }),
    ]),
  ),
});
const Showcase = z.array(z.object({ path: z.string(), kind: z.enum(['query', 'dashboard', 'ai']), title: z.string() }));

const text = (path: string): Promise<string> => readFile(new URL(path, CONTENT), 'utf8');
const json = async (path: string): Promise<unknown> => JSON.parse(await text(path));

const {
  semantic_model: [model],
} = z
  .object({ version: z.literal('0.1.1'), semantic_model: z.tuple([Model]) })
  .parse(parse(await text('models/shop.yaml')));
const files = await readdir(fileURLToPath(new URL(`repository/${FOLDER}`, CONTENT)));
const savedQueries = new Map<string, z.output<typeof SavedQuery>>();
// cubes.test.ts tests the queries of cubes.
for (const file of files.filter((name) => name.endsWith('.service') && !name.startsWith('cube-'))) {
  savedQueries.set(FOLDER + file, SavedQuery.parse(await json(`repository/${FOLDER}${file}`)));
}
const dashboards = new Map<string, z.output<typeof Dashboard>>();
for (const file of files.filter((name) => name.endsWith('.servicedash')))
  dashboards.set(FOLDER + file, Dashboard.parse(await json(`repository/${FOLDER}${file}`)));
const AskBox = z.strictObject({
  version: z.literal(1),
  title: z.string(),
  description: z.string(),
  source: z.strictObject({
    surface: z.literal('semantic'),
    target: z.strictObject({ connection: z.literal('demo'), model: z.literal('shop') }),
  }),
  suggestions: z.array(z.string()).min(3),
});
const askBox = AskBox.parse(await json(`repository/${FOLDER}ask-the-shop.serviceask`));
const showcase = Showcase.parse(await json('showcase.json'));

const sql = ({ expression }: z.output<typeof Named>): string => expression.dialects[0].expression;
const isPersonal = (element: z.output<typeof Named>): boolean =>
  (element.custom_extensions ?? []).some(({ data }) => z.object({ pii: z.literal(true) }).safeParse(data).success);
const fieldNames = new Set(
  model.datasets.flatMap(({ name, fields }) =>
    fields.filter((field) => !isPersonal(field)).map((field) => `${name}.${field.name}`),
  ),
);
const metricNames = new Set(model.metrics.map(({ name }) => name));

let warehouse: AskableWarehouse;
beforeAll(async () => {
  warehouse = await generated({ seed: 1, factRows: 12_000 });
});
afterAll(async () => warehouse?.close());

describe('the model', () => {
  test.each(
    model.datasets.flatMap((dataset) =>
      dataset.fields.map((field) => ({ dataset, field, id: `${dataset.name}.${field.name}` })),
    ),
  )('field $id runs on the warehouse, has a label, and is not always empty', async ({ dataset, field }) => {
    expect(field.label).toBeTruthy();
    expect(await warehouse.number(`SELECT count(${sql(field)}) FROM ${dataset.source}`)).toBeGreaterThan(0);
  });

  test.each(model.metrics.map((metric) => ({ metric, id: metric.name })))(
    'metric $id runs on its dataset, and is above zero',
    async ({ metric }) => {
      expect(metric.description).toBeTruthy();
      const named = model.datasets.filter(({ name }) => new RegExp(`\\b${name}\\.`).test(sql(metric)));
      const [dataset = model.datasets[0], ...others] = named;
      expect(others).toEqual([]);
      expect(
        await warehouse.number(`SELECT ${sql(metric)} FROM ${dataset?.source} AS ${dataset?.name}`),
      ).toBeGreaterThan(0);
    },
  );

  test('joins facts to the primary keys of dimensions, and reads sales first, so that COUNT(*) counts the lines of sales', () => {
    for (const { from, to, from_columns, to_columns } of model.relationships) {
      expect(['sales', 'inventory']).toContain(from);
      expect(to_columns).toEqual(model.datasets.find(({ name }) => name === to)?.primary_key);
      expect(from_columns).toHaveLength(to_columns.length);
    }
    expect(model.datasets[0]?.name).toBe('sales');
  });

  test('marks the name and the e-mail address of a customer as personal data, and nothing else', () => {
    const personal = model.datasets.flatMap(({ name, fields }) =>
      fields.filter(isPersonal).map((field) => `${name}.${field.name}`),
    );
    expect(personal).toEqual(['customers.full_name', 'customers.email']);
  });

  test('gives a synonym one meaning within a dataset, and one among the metrics', async () => {
    const Context = z.object({
      name: z.string(),
      ai_context: z.object({ synonyms: z.array(z.string()).default([]) }).optional(),
    });
    const Whole = z.object({
      semantic_model: z.tuple([
        z.object({ datasets: z.array(Context.extend({ fields: z.array(Context) })), metrics: z.array(Context) }),
      ]),
    });
    const { semantic_model } = Whole.parse(parse(await text('models/shop.yaml')));
    const groups = [
      semantic_model[0].datasets,
      semantic_model[0].metrics,
      ...semantic_model[0].datasets.map(({ fields }) => fields),
    ];
    for (const group of groups) {
      const words = group.flatMap(({ name, ai_context }) =>
        [name, ...(ai_context?.synonyms ?? [])].map((word) => word.toLowerCase()),
      );
      expect(words).toEqual([...new Set(words)]);
    }
  });
});

function expectKnownNames({ request }: Source): void {
  const shown = request.rows.map(({ dataset, field, grain }) =>
    [dataset, field, grain].filter((part) => part !== undefined).join('.'),
  );
  const values = request.values.map(({ metric }) => metric);
  for (const { dataset, field } of [...request.rows, ...request.filters])
    expect(fieldNames).toContain(`${dataset}.${field}`);
  for (const metric of values) expect(metricNames).toContain(metric);
  for (const { metric, field } of request.sorts) {
    expect([metric, field].filter((name) => name !== undefined)).toHaveLength(1);
    if (metric !== undefined) expect(values).toContain(metric);
    if (field !== undefined) expect(shown).toContain(field);
  }
}

/** Lists the titles of the saved queries of a cube. */
async function cubeTitles(): Promise<readonly (readonly [string, string])[]> {
  const names = files.filter((name) => name.startsWith('cube-') && name.endsWith('.service'));
  return Promise.all(
    names.map(async (name) => {
      const { title } = z.looseObject({ title: z.string() }).parse(await json(`repository/${FOLDER}${name}`));
      return [FOLDER + name, title] as const;
    }),
  );
}

describe('the saved queries', () => {
  test.each([...savedQueries])('%s names only what the model contains and shows', (_path, { source }) => {
    expectKnownNames(source);
  });

  test('are all in the showcase, with their own titles', async () => {
    const titles = new Map([...savedQueries].map(([path, { title }]) => [path, title]));
    for (const [path, { title }] of dashboards) titles.set(path, title);
    titles.set(`${FOLDER}ask-the-shop.serviceask`, askBox.title);
    for (const [path, title] of await cubeTitles()) titles.set(path, title);
    expect(new Map(showcase.map(({ path, title }) => [path, title]))).toEqual(titles);
  });
});

describe.each([...dashboards])('the dashboard %s', (_path, dashboard) => {
  test('fits its twelve columns, overlaps nowhere and leaves no cell empty', () => {
    const taken = new Map<string, string>();
    for (const { id, x, y, w, h } of dashboard.tiles) {
      expect(x + w).toBeLessThanOrEqual(12);
      for (let row = y; row < y + h; row++) {
        for (let column = x; column < x + w; column++) {
          expect(taken.get(`${column},${row}`)).toBeUndefined();
          taken.set(`${column},${row}`, id);
        }
      }
    }
    const rows = Math.max(...dashboard.tiles.map(({ y, h }) => y + h));
    expect(taken.size).toBe(12 * rows);
    expect(new Set(dashboard.tiles.map(({ id }) => id)).size).toBe(dashboard.tiles.length);
  });

  test('shows saved queries that exist and measures that they compute', () => {
    for (const tile of dashboard.tiles) {
      if (tile.kind !== 'chart' && tile.kind !== 'kpi') continue;
      const source = 'path' in tile.query ? savedQueries.get(tile.query.path)?.source : tile.query.source;
      if (source === undefined) throw new RangeError(`tile ${tile.id} shows a query that is not there`);
      expectKnownNames(source);
      if (tile.kind === 'kpi') expect(source.request.values.map(({ metric }) => metric)).toContain(tile.measure);
    }
  });
});

test('the dashboard of kinds shows each mode that the sales of a shop can fill', () => {
  const modes = dashboards
    .get(`${FOLDER}kinds-of-charts.servicedash`)
    ?.tiles.flatMap((tile) => (tile.kind === 'chart' ? tile.chartType : []));
  // A shop has no opening and closing values.
  expect(new Set(modes)).toEqual(new Set(CHART_MODES.filter((mode) => mode !== 'candlestick')));
});
