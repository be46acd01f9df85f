/** Tests that the examples of the guides to models do what the guides say. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadSqlLibrary } from '../query-surface/index.ts';
import { lintDocument, writeOsi } from '../semantic/index.ts';
import { convertCube } from './cube/convert-cube.ts';
import { convertMetricflow } from './metricflow/convert-metricflow.ts';

await loadSqlLibrary();

const DOCS = ['models-by-hand', 'models-from-dbt', 'models-from-cube-schema']
  .map((page) => readFileSync(new URL(`../../docs/guide/${page}.md`, import.meta.url), 'utf8'))
  .join('\n');

function example(name: string): string {
  const example = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w*\n(.*?)\`\`\``, 's').exec(DOCS)?.[1];
  if (example === undefined) throw new Error(`no guide has an example ${name}`);
  return example;
}
const problemsOf = async (document: string) => (await lintDocument(document)).problems;

it('the model is read without a problem', async () => {
  expect(await problemsOf(example('model'))).toEqual([]);
});

it('the dbt project converts with the warnings shown', async () => {
  const { model, problems } = convertMetricflow([{ name: 'metrics.yml', text: example('dbt') }]);
  const messages = problems.map(({ file, line, severity, message }) => `${file}:${line}: ${severity}: ${message}\n`);
  expect(messages.join('')).toBe(example('dbt warnings'));
  expect(model?.metrics?.map(({ expression }) => expression.dialects[0]?.expression)).toEqual([
    'SUM(orders.amount)',
    'SUM(CASE WHEN orders.order_id IS NOT NULL THEN 1 ELSE 0 END)',
    "(SUM(CASE WHEN orders.status = 'paid' THEN orders.amount END)) / NULLIF((SUM(orders.amount)), 0)",
  ]);
  expect(model && (await problemsOf(writeOsi(model)))).toEqual([
    expect.objectContaining({ message: expect.stringContaining('field customer: by its name it may hold') }),
  ]);
});

it('the cube converts whole', async () => {
  const { model, problems } = convertCube({ name: 'shop.xml', text: example('cube') });
  expect(problems).toEqual([]);
  expect(model?.metrics?.map(({ name, expression }) => [name, expression.dialects[0]?.expression])).toEqual([
    ['amount', 'SUM(sales.amount)'],
    ['lines', 'COUNT(sales.id)'],
    ['mean', '((SUM(sales.amount)) / NULLIF(COUNT(sales.id), 0))'],
  ]);
  expect(model && (await problemsOf(writeOsi(model)))).toEqual([]);
});
