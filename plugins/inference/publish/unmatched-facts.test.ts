/**
 * Tests that a published cube and its semantic model have the same figures where facts lead to no row: both have a group of
 * these rows, and its figures are computed by hand.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runMdx } from '../../cube/index.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { type Semantic, semantic, writeOsi } from '../../semantic/index.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import { rendered } from '../render/cube-xml.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import { InferenceWork } from '../work/work.ts';
import { firstAnswers } from './first-answers.ts';
import { renderSemanticModel } from './merge-models.ts';

await loadSqlLibrary();

const TENANT = 'default' as TenantId;
/** 200 orders of 10 each; every tenth is of no customer, and one of a customer who is not in the table. */
const SET_UP = [
  "CREATE TABLE kunden AS SELECT 100 + range AS kundennr, CASE range % 2 WHEN 0 THEN 'Ulm' ELSE 'Bonn' END AS ort, 'K' || range AS firma FROM range(40)",
  "CREATE TABLE auftraege AS SELECT range + 1 AS auftragsnr, CASE WHEN range % 10 = 0 THEN NULL WHEN range = 1 THEN 999 ELSE 100 + range % 40 END AS kundennr, DATE '2024-01-01' + CAST(range AS INTEGER) AS datum, 10.00::DECIMAL(9,2) AS betrag FROM range(200)",
];
/** Of the 179 others, those with an odd number are in Bonn: 100 less the one that is not in the table. */
const BY_CITY = { Bonn: 990, Ulm: 800, none: 210 };

let started: TestWarehouse;
let surface: Semantic;
let schemaText: string;
let documents: ReturnType<typeof firstAnswers>;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SET_UP, { poolSize: 2 });
  const profile = await profileSchema({
    warehouse: started.warehouse,
    schema: undefined,
    maxTables: 50,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  const proposal = proposeByRules(profile, { schemaName: 'shop' });
  schemaText = rendered(proposal).schemaXml;
  documents = firstAnswers(proposal, 'shop', 'shared/shop', ['cube', 'semantic']);
  const model = renderSemanticModel(proposal, 'shop');
  if (model === undefined) throw new Error('no model');
  surface = semantic({
    warehouses: started.warehouses,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    jobs: NO_JOBS,
    log: silentLog,
    clock: Date.now,
    settings: { maxRows: 10_000, cacheTtlMs: 0, samplesTtlMs: 300_000, kAnonymity: { threshold: 0, mask: null } },
  });
  const datasource = {
    id: 'shop-model',
    name: 'shop-model',
    type: 'SEMANTIC',
    documentPath: 'model.yaml',
    schema: undefined,
    enabled: true,
    warehouse: started.address,
  } as const;
  expect(await surface.loaderOf(TENANT).load(datasource, writeOsi(model))).toEqual([]);
  await surface.ready();
});
afterAll(() => started?.stop());

it('the cube has a member of them', async () => {
  const outcome = await runMdx({
    mdx: 'select {[Measures].[Betrag]} on 0, [Kunden Ort].[Ort].Members on 1 from [Auftraege]',
    schemaText,
    warehouse: async () => started.warehouse,
    roles: undefined,
    maxRows: 1_000,
    signal: undefined,
  });
  if (!('cells' in outcome)) throw new Error('no cells');
  const { axes, cells } = outcome.cells;
  const byCity = (axes[1]?.tuples ?? []).map((tuple, at) => [tuple[0]?.name, Number(cells[at]?.value)]);
  expect(Object.fromEntries(byCity)).toEqual({ Bonn: BY_CITY.Bonn, Ulm: BY_CITY.Ulm, '#null': BY_CITY.none });
});

it('the published chart has the same group, and notes its share', async () => {
  const queries = documents
    .filter(({ path }) => path.endsWith('.service'))
    .map(({ text }) => JSON.parse(text))
    .filter(({ source }) => JSON.stringify(source.request.rows ?? []).includes('"ort"'));
  expect(queries).toMatchObject([{ title: 'Betrag nach Ort', chart: { ungrouped: true } }]);
  const { columns, records } = await surface.source
    .prepare(queries[0].source.request)
    .run({ tenant: TENANT, user: 'ann', roles: ['ROLE_USER'] }, {});
  const shown = records.map((record) =>
    columns.map(({ key }) => {
      const cell = record[key];
      return typeof cell === 'object' && cell !== null && 'value' in cell ? Number(cell.value) : (cell ?? 'none');
    }),
  );
  expect(Object.fromEntries(shown)).toEqual(BY_CITY);
});
