/** Tests that the cubes of a proposal become one semantic model without a second path between two tables. */
import { expect, it } from 'vitest';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { lintDocument, writeOsi } from '../../semantic/index.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { Cube, CubeProposal, Dimension } from '../proposal/schema.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import { setUpOf } from '../testing/public-schema.ts';
import { PUBLIC_SCHEMAS } from '../testing/public-schemas.ts';
import { InferenceWork } from '../work/work.ts';
import { renderSemanticModel } from './merge-models.ts';

await loadSqlLibrary();

const leadsTo = (foreignKey: string, tableName: string, column: string, joins?: Dimension['joins']): Dimension => ({
  name: `${tableName} ${column}`,
  foreignKey,
  tableSchema: '',
  tableName,
  primaryKey: `${tableName}_id`,
  levels: [
    {
      name: column,
      column,
      type: 'String',
      uniqueMembers: true,
      tableName: joins?.at(-1)?.tableName ?? tableName,
    },
  ],
  ...(joins === undefined ? {} : { joins }),
});
const cube = (table: string, column: string, dimensions: readonly Dimension[], further: Partial<Cube> = {}): Cube => ({
  name: table,
  factTableSchema: '',
  factTableName: table,
  measures: [
    { name: column, column, aggregator: 'sum' },
    { name: 'Rows', column: `${table}_id`, aggregator: 'count' },
  ],
  dimensions: [...dimensions],
  ...further,
});
const modelOf = (...cubes: readonly Cube[]) => {
  const proposal: CubeProposal = { schemaName: 's', cubes: [...cubes] };
  return renderSemanticModel(proposal, 'shop');
};
const joinsOf = (model: ReturnType<typeof modelOf>): readonly string[] =>
  (model?.relationships ?? []).map(({ from, to }) => `${from} -> ${to}`).sort();

const CUSTOMERS = [{ tableSchema: '', tableName: 'customers', leftKey: 'customer', rightKey: 'customers_id' }];

it('the header of lines is a fact and their dimension, and both lead to the same customers', () => {
  const model = modelOf(
    cube('lines', 'amount', [leadsTo('order', 'orders', 'channel'), leadsTo('order', 'orders', 'segment', CUSTOMERS)]),
    cube('orders', 'freight', [leadsTo('customer', 'customers', 'segment')]),
  );
  expect(model?.name).toBe('shop');
  expect(model?.datasets.map(({ name }) => name).sort()).toEqual(['customers', 'lines', 'orders']);
  expect(joinsOf(model)).toEqual(['lines -> orders', 'orders -> customers']);
  expect(model?.metrics?.map(({ name }) => name)).toEqual(['amount', 'rows', 'freight', 'orders_rows']);
});

it('a table that a second path would reach is a dataset for each path', () => {
  // The payer of a line and the buyer of its order.
  const model = modelOf(
    cube('lines', 'amount', [leadsTo('order', 'orders', 'channel'), leadsTo('payer', 'customers', 'segment')]),
    cube('orders', 'freight', [leadsTo('customer', 'customers', 'segment')]),
  );
  expect(joinsOf(model)).toEqual(['lines -> customers', 'lines -> orders', 'orders -> customers_2']);
});

it('metrics of facts that get another name read it under that name', () => {
  // Lines refer to orders in two roles, so that neither is the orders themselves.
  const first = cube('lines', 'amount', [
    leadsTo('order', 'orders', 'channel'),
    leadsTo('repeats', 'orders', 'channel'),
  ]);
  const model = modelOf(
    { ...first, dimensions: first.dimensions.map((each, at) => ({ ...each, name: `orders ${at}` })) },
    cube('orders', 'freight', [leadsTo('customer', 'customers', 'segment')]),
  );
  const facts = model?.relationships?.find(({ to }) => to === 'customers')?.from ?? '';
  expect(model?.datasets.filter(({ source }) => source === 'orders')).toHaveLength(3);
  const freight = model?.metrics?.find(({ name }) => name === 'freight');
  expect(freight?.expression.dialects).toEqual([{ dialect: 'ANSI_SQL', expression: `SUM(${facts}.freight)` }]);
});

it('a column that one cube marks as personal is in no answer of another', () => {
  const model = modelOf(
    cube('lines', 'amount', [leadsTo('order', 'orders', 'contact')]),
    cube('orders', 'freight', [], { personal: [{ tableSchema: '', tableName: 'orders', column: 'contact' }] }),
  );
  const fields = model?.datasets.find(({ name }) => name === 'orders')?.fields ?? [];
  const contact = fields.filter(({ expression }) => expression.dialects[0]?.expression === 'contact');
  expect(contact.map(({ custom_extensions }) => custom_extensions?.[0]?.data)).toEqual(['{"pii":true}']);
});

it.each(PUBLIC_SCHEMAS.map((schema) => [schema.name, schema] as const))(
  'the model of all facts of %s has one path between two tables, and a metric for each of them',
  async (_, schema) => {
    const started = await startWarehouse('duckdb', setUpOf(schema, false));
    try {
      const { warehouse } = started;
      const profile = await profileSchema({
        warehouse,
        schema: undefined,
        maxTables: 100,
        tableTypes: ['TABLE'],
        clock: Date.now,
        log: silentLog,
        work: new InferenceWork(undefined),
      });
      const proposal = proposeByRules(profile, { schemaName: 'public' });
      const model = renderSemanticModel(proposal, 'public');
      if (model === undefined) throw new Error('no model');
      const { problems } = await lintDocument(writeOsi(model), { warehouse });
      expect(problems.filter(({ severity, message }) => severity === 'error' || /path/.test(message))).toEqual([]);
      const measures = proposal.cubes.reduce((sum, each) => sum + each.measures.length, 0);
      expect(model.metrics).toHaveLength(measures);
    } finally {
      await started.stop();
    }
  },
);
