import { expect, it } from 'vitest';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { renderSemanticModels } from '../publish/semantic-models.ts';
import type { Column, Table } from '../schemas.ts';
import { withAttributes } from './attributes.ts';
import type { CubeProposal } from './schema.ts';

await loadSqlLibrary();

const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  type: 'VARCHAR',
  nullable: true,
  distinctApprox: 795,
  sampleValues: [],
  ...more,
});

const ORDERS: Table = {
  schema: 'main',
  name: 'orders',
  rowCount: 1_000,
  columns: ['id', 'product', 'amount', 'channel', 'email'].map((name) => column(name)),
};

const PROPOSAL: CubeProposal = {
  schemaName: 'shop',
  cubes: [
    {
      name: 'Orders',
      factTableSchema: 'main',
      factTableName: 'orders',
      measures: [
        { name: 'Amount', column: 'amount', aggregator: 'sum', format: '#,##0.00' },
        { name: 'Row Count', column: 'id', aggregator: 'count', format: '#,##0' },
      ],
      dimensions: [
        {
          name: 'Channel',
          foreignKey: '',
          tableSchema: 'main',
          tableName: 'orders',
          primaryKey: '',
          levels: [{ name: 'Channel', column: 'channel', type: 'String', uniqueMembers: true }],
        },
      ],
      personal: [{ tableSchema: 'main', tableName: 'orders', column: 'email' }],
    },
  ],
};

it('every column of a table is a level, a sum, an attribute or personal', () => {
  const proposal = withAttributes(PROPOSAL, [ORDERS, { ...ORDERS, name: 'other' }]);
  expect(proposal.cubes[0]?.attributes?.map((each) => each.column)).toEqual(['id', 'product']);
  expect(proposal.cubes[0]?.attributes?.every(({ tableName }) => tableName === 'orders')).toBe(true);
});

it('the semantic model has a field for every column but the sums, and marks the personal ones', () => {
  const [model] = renderSemanticModels(withAttributes(PROPOSAL, [ORDERS]), 'shop.xml');
  const fields = model?.datasets.find(({ name }) => name === 'orders')?.fields ?? [];
  expect(fields.map(({ name }) => name).sort()).toEqual(['channel', 'email', 'id', 'product']);
  const marked = fields.filter(({ custom_extensions = [] }) =>
    custom_extensions.some(({ data }) => data.includes('"pii":true')),
  );
  expect(marked.map(({ name }) => name)).toEqual(['email']);
});

it('a column that a served model marks as personal is no attribute', () => {
  const table = { ...ORDERS, columns: [column('product', { personal: true }), column('note')] };
  expect(withAttributes(PROPOSAL, [table]).cubes[0]?.attributes?.map((each) => each.column)).toEqual(['note']);
});
