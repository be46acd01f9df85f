/** What the semantic model of a proposal has that a cube schema has no words for: keys of several columns, units, personal data. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import { ROLE_STAR, SNOWFLAKE } from '../testing/schemas.ts';
import { InferenceWork } from '../work/work.ts';
import { renderSemanticModels } from './semantic-models.ts';

await loadSqlLibrary();

let started: TestWarehouse;
let proposal: CubeProposal;
beforeAll(async () => {
  started = await startWarehouse('duckdb', [...SNOWFLAKE.setUp, ...ROLE_STAR.setUp]);
  const profile = await profileSchema({
    warehouse: started.warehouse,
    schema: undefined,
    maxTables: 50,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  proposal = proposeByRules(profile, { schemaName: 'both' });
});
afterAll(() => started.stop());

const modelOf = (fact: string) => {
  const cubes = proposal.cubes.filter(({ factTableName }) => factTableName === fact);
  const [model] = renderSemanticModels({ ...proposal, cubes }, 'both.xml');
  if (model === undefined) throw new Error(`no model of ${fact}`);
  return model;
};

const dataOf = (extensions: readonly { vendor_name: string; data: string }[] | undefined): unknown =>
  JSON.parse(extensions?.find(({ vendor_name }) => vendor_name === 'SERVICE')?.data ?? '{}');

it('a table that only two columns together identify is related by both', () => {
  const { datasets, relationships = [] } = modelOf('movements');
  const bins = datasets.find(({ source }) => source.endsWith('bins'));
  expect(bins).toMatchObject({ primary_key: ['plant_code', 'bin_no'] });
  const byBoth = relationships.filter(({ from_columns }) => from_columns.length > 1);
  expect(byBoth).toEqual([
    {
      name: `movements_to_${bins?.name}_by_key`,
      from: 'movements',
      to: bins?.name,
      from_columns: ['src_plant', 'src_bin_no'],
      to_columns: ['plant_code', 'bin_no'],
    },
  ]);
  // The others by one column each: the plant, the material, the partner.
  expect(relationships.filter(({ from_columns }) => from_columns.length === 1).length).toBeGreaterThanOrEqual(3);
});

it('a metric names its currency, and a number without a unit has none', () => {
  const { metrics = [] } = modelOf('movements');
  const displays = Object.fromEntries(
    metrics.map(({ name, custom_extensions }) => [name, dataOf(custom_extensions)] as const),
  );
  expect(Object.values(displays)).toContainEqual({ display: expect.objectContaining({ unit: 'EUR' }) });
  const quantity = Object.entries(displays).find(([name]) => name.includes('quantity'));
  expect(JSON.stringify(quantity)).not.toContain('unit');
});

it('personal data is marked on its fields', () => {
  const passengers = modelOf('f_booking').datasets.find(({ source }) => source.endsWith('d_passenger'));
  const marked = passengers?.fields?.filter(
    ({ custom_extensions }) => JSON.stringify(dataOf(custom_extensions)) === '{"pii":true}',
  );
  expect(marked?.map(({ name }) => name).sort()).toEqual(['birth_year', 'email', 'full_name']);
});
