import { expect, test } from 'vitest';
import { duckdbDialect } from '../../../server/warehouse/duckdb/dialect.ts';
import { assumeModel } from '../lint/assume-model.ts';
import type { Model } from '../model/model.ts';
import { documentOf } from '../model/read-document.ts';
import { problemsOf, readDraft } from '../model/read-draft.ts';
import { readSql } from '../model/sql-task.ts';
import { readYaml } from '../model/yaml-text.ts';
import { modelSchema } from './model-view.ts';
import { allParts, NO_PARTS, partsOf } from './shown-parts.ts';

const ONE = `
semantic_model:
  - name: large
    datasets:
      - name: orders
        source: orders
        fields: [{ name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }]
    metrics: [{ name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.total) }] }]
`;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Texts as the authors of models write them. */
const textsOf = (name: string) => ({
  description: `What ${name} means to the people who use it every day.`,
  synonyms: [`${name} also`, `${name} too`],
});

/** Returns a model of 40 datasets with 25 fields each and 200 metrics, made of copies of one of each. */
async function largeModel(): Promise<Model> {
  const document = documentOf(await readYaml(ONE), undefined);
  if ('problems' in document) throw new Error(JSON.stringify(document.problems));
  const problems = problemsOf(document);
  const model = await assumeModel(await readDraft(document, duckdbDialect, problems, readSql), problems);
  const [dataset] = [...model.datasets.values()];
  const [metric] = [...model.metrics.values()];
  const [field] = [...(dataset?.fields.values() ?? [])];
  if (dataset === undefined || metric === undefined || field === undefined) throw new Error('the model is empty');
  const datasets = numbers(40).map((set) => {
    const name = `dataset_${set}`;
    const fields = numbers(25).map((number) => {
      const fieldName = number === 24 ? 'placed' : `attribute_${set}_${number}`;
      return [
        fieldName,
        { ...field, ...textsOf(fieldName), dataset: name, name: fieldName, label: fieldName },
      ] as const;
    });
    const mainDate = { dataset: name, field: 'placed' };
    return [name, { ...dataset, ...textsOf(name), name, mainDate, fields: new Map(fields) }] as const;
  });
  const metrics = numbers(200).map((number) => {
    const name = `metric_number_${number}`;
    return [name, { ...metric, ...textsOf(name), name, label: name }] as const;
  });
  return { ...model, datasets: new Map(datasets), metrics: new Map(metrics) };
}

test('the index of 40 datasets, 1,000 fields and 200 metrics has all names within 40,000 characters', async () => {
  const model = await largeModel();
  const described = (parts: typeof NO_PARTS, isFirst: boolean) =>
    modelSchema(model, 'test', new Map(), { parts, hasIndex: isFirst, hasOverview: false, hasRequestSchema: false });

  const first = await described(NO_PARTS, true);
  expect(JSON.stringify(first).length).toBeLessThan(40_000);
  expect(first.index).toMatchObject({ datasetCount: 40, metricCount: 200 });
  expect(first.index?.isCut).toBeUndefined();
  const { fieldNames, mainDate } = first.index?.datasets.dataset_39 ?? {};
  expect(fieldNames).toHaveLength(25);
  expect(mainDate).toBe('dataset_39.placed');
  expect(first.index?.metricNames).toContain('metric_number_199');

  expect(Object.keys((await described(allParts(model), false)).datasets)).toHaveLength(40);
  const named = await described(partsOf(model, { datasets: ['dataset_7'] }), false);
  expect(Object.keys(named.datasets)).toEqual(['dataset_7']);
  expect(partsOf(model, { q: 'metric 199 too' }).metrics.map(({ name }) => name)).toEqual(['metric_number_199']);
});
