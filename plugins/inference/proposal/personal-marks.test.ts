/** Tests that a published cube hides what its semantic model hides, and that its validation reports it. */
import { expect, it } from 'vitest';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { renderSemanticModels } from '../publish/semantic-models.ts';
import { rendered } from '../render/cube-xml.ts';
import type { CubeProposal } from './schema.ts';

await loadSqlLibrary();

const CUSTOMERS = { tableSchema: 'main', tableName: 'customers' };
const PROPOSAL: CubeProposal = {
  schemaName: 'shop',
  cubes: [
    {
      name: 'Orders',
      factTableSchema: 'main',
      factTableName: 'orders',
      measures: [
        { name: 'Amount', column: 'amount', aggregator: 'sum' },
        { name: 'Latest Birth', column: 'birth_year', aggregator: 'max' },
      ],
      dimensions: [
        {
          name: 'Customers',
          foreignKey: 'customer_id',
          ...CUSTOMERS,
          primaryKey: 'customer_id',
          levels: [
            { name: 'Segment', column: 'segment', type: 'String', uniqueMembers: true },
            { name: 'Name', column: 'full_name', type: 'String', uniqueMembers: false },
          ],
        },
      ],
      personal: [
        { ...CUSTOMERS, column: 'full_name' },
        { tableSchema: 'main', tableName: 'orders', column: 'birth_year' },
      ],
    },
  ],
};

it('a level and a measure over personal columns warn, and are in neither', () => {
  const { schemaXml, validation } = rendered(PROPOSAL);
  expect(validation).toEqual({
    valid: true,
    cubeCount: 1,
    warnings: [
      'Cube "Orders", measure "Latest Birth": its column "birth_year" is marked as personal, so the cube leaves it out.',
      'Cube "Orders", dimension "Customers", level "Name": its column "full_name" is marked as personal, so the cube leaves it out.',
    ],
  });
  expect(schemaXml).toContain('segment');
  expect(schemaXml).not.toMatch(/full_name|birth_year/);
  const [model] = renderSemanticModels(PROPOSAL, 'shop.xml');
  const marked = model?.datasets.flatMap(({ fields = [] }) =>
    fields.filter(({ custom_extensions = [] }) => JSON.stringify(custom_extensions).includes('pii')),
  );
  expect(marked?.map(({ name }) => name).sort()).toEqual(['birth_year', 'full_name']);
  expect(model?.metrics?.map(({ name }) => name)).toEqual(['amount']);
});

it('a proposal without marks is shown unchanged, without a warning', () => {
  const cubes = PROPOSAL.cubes.map(({ personal: _, ...cube }) => cube);
  expect(rendered({ ...PROPOSAL, cubes }).schemaXml).toContain('full_name');
  expect(rendered({ ...PROPOSAL, cubes }).validation.warnings).toEqual([]);
});

it('a marked date of the facts and a marked column of a table behind several keys are in no semantic model', () => {
  const cubes = PROPOSAL.cubes.map((cube): CubeProposal['cubes'][number] => ({
    ...cube,
    dimensions: [
      ...cube.dimensions,
      {
        name: 'Birth',
        foreignKey: '',
        tableSchema: 'main',
        tableName: 'orders',
        primaryKey: '',
        levels: [{ name: 'Year', column: 'birth_date', type: 'Integer', uniqueMembers: true, datePart: 'year' }],
      },
    ],
    compositeKeys: [
      {
        columns: ['plant', 'bin'],
        tableSchema: 'main',
        tableName: 'keepers',
        keyColumns: ['plant', 'bin'],
        attributes: ['keeper_name', 'shift'],
      },
    ],
    personal: [
      { tableSchema: 'main', tableName: 'orders', column: 'birth_date' },
      { tableSchema: 'main', tableName: 'keepers', column: 'keeper_name' },
    ],
  }));
  const [model] = renderSemanticModels({ ...PROPOSAL, cubes }, 'shop.xml');
  const fields = model?.datasets.flatMap((dataset) => dataset.fields ?? []) ?? [];
  const isMarked = (name: string): boolean[] =>
    fields
      .filter((field) => field.name === name)
      .map(({ custom_extensions = [] }) => JSON.stringify(custom_extensions).includes('pii'));
  expect(isMarked('birth_date')).toEqual([true]);
  expect(isMarked('keeper_name')).toEqual([true]);
  expect(isMarked('shift')).toEqual([false]);
  expect(rendered({ ...PROPOSAL, cubes }).validation.warnings).toEqual([
    'Cube "Orders", dimension "Birth", level "Year": its column "birth_date" is marked as personal, so the cube leaves it out.',
    'Cube "Orders", attribute of "keepers": its column "keeper_name" is marked as personal, so the cube leaves it out.',
  ]);
});
