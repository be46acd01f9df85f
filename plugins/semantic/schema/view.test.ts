import { expect, test } from 'vitest';
import type { Model } from '../model/model.ts';
import { modelSchema } from './view.ts';

const model: Model = {
  name: 'm',
  description: '',
  instructions: undefined,
  datasets: new Map(),
  metrics: new Map(),
  relationships: [],
  factDataset: '',
  ontology: [],
  extensions: [{ vendor_name: 'DBT', data: '{"meta":{"owner":"finance"}}' }],
} as unknown as Model;

test("other vendors' blocks travel on as the document writes them", () => {
  expect(modelSchema(model, 'c', new Map()).customExtensions).toEqual([
    { vendor_name: 'DBT', data: '{"meta":{"owner":"finance"}}' },
  ]);
});

test('a model without any has no such member', () => {
  expect(modelSchema({ ...model, extensions: [] }, 'c', new Map())).not.toHaveProperty('customExtensions');
});
