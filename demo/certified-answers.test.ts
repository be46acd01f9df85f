/** Tests certified answers over HTTP: they need no language model, obey roles, and are reported where a model breaks them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type AskingProduct, CUBE, semantic, startAsking } from './testing/asking.ts';

const sql = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });

const CERTIFIED = [
  {
    question: 'Floor area by region?',
    also: ['How large are the regions?'],
    request: { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'area' }] },
    by: 'Ann',
    at: '2026-11-20',
  },
  {
    question: 'Floor area by town?',
    request: { rows: [{ dataset: 'stores', field: 'town' }], values: [{ metric: 'area' }] },
  },
  {
    question: 'Floor area by city?',
    request: { rows: [{ dataset: 'stores', field: 'city' }], values: [{ metric: 'area' }] },
  },
];

const DOCUMENT = {
  version: '0.1.1',
  semantic_model: [
    {
      name: 'certain',
      custom_extensions: [{ vendor_name: 'SERVICE', data: JSON.stringify({ certified: CERTIFIED }) }],
      datasets: [
        {
          name: 'stores',
          source: 'main.stores',
          primary_key: ['store_id'],
          fields: [
            { name: 'region', label: 'Region', expression: sql('region') },
            {
              name: 'city',
              expression: sql('city'),
              custom_extensions: [{ vendor_name: 'SERVICE', data: '{"roles":{"deny":["ROLE_NORTH"]}}' }],
            },
          ],
        },
      ],
      metrics: [
        {
          name: 'area',
          label: 'Floor area',
          expression: sql('SUM(stores.floor_area_m2)'),
          ai_context: { synonyms: ['space'] },
        },
      ],
    },
  ],
};

const SDS =
  '<dataSource><id>certain</id><name>certain</name><type>SEMANTIC</type><semanticYaml>certain.json</semanticYaml><location>jdbc:duckdb:data/demo-shop.duckdb</location><username>shop</username></dataSource>';
const MODEL = { connection: 'certain', model: 'certain' };
const NORTH = { roles: ['ROLE_NORTH'] };

let product: AskingProduct;
beforeAll(async () => {
  product = await startAsking({
    datasources: { 'certain.json': JSON.stringify(DOCUMENT), 'certain.sds': SDS },
    roles: ['ROLE_NORTH'],
  });
  product.reply(() => semantic({ values: [{ metric: 'area' }] }));
  const models = async () => JSON.stringify((await product.call('GET /ai/semantic/models')).body);
  await vi.waitFor(async () => expect(await models()).toContain('"certain"'), { timeout: 60_000, interval: 200 });
});
afterAll(() => product?.stop());

const ask = (question: string, options = {}) => product.call('POST /ai/semantic/ask', { ...MODEL, question }, options);

test('a certified question is answered by its request without the language model, with the person and the day', async () => {
  const before = product.llm.requests.length;
  const { status, body } = await ask('space, by region');
  expect(status).toBe(200);
  const { response, ...rest } = body;
  const request = { ...MODEL, ...CERTIFIED[0]?.request };
  expect(rest).toEqual({
    question: 'space, by region',
    ...MODEL,
    queryUsed: request,
    certified: { question: 'Floor area by region?', by: 'Ann', at: '2026-11-20' },
  });
  expect(response.records).toEqual((await product.call('POST /ai/semantic/query', request)).body.records);
  expect(response.records.length).toBeGreaterThan(1);
  expect(product.llm.requests).toHaveLength(before);
});

test('a stream has the same answer as its only event', async () => {
  const response = await product.send('POST /ai/semantic/ask/stream', {
    ...MODEL,
    question: 'How large are the regions?',
  });
  const events = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  expect(events).toEqual(['answer']);
});

test('a question in other words goes to the language model, and its answer has no mark', async () => {
  const before = product.llm.requests.length;
  const { status, body } = await ask('Floor area by region and year?');
  expect([status, body.certified]).toEqual([200, undefined]);
  expect(product.llm.requests).toHaveLength(before + 1);
});

test('a caller who may not see what the request names has no certified answer', async () => {
  const before = product.llm.requests.length;
  expect((await ask('Floor area by city?')).body.certified).toEqual({ question: 'Floor area by city?' });
  expect(product.llm.requests).toHaveLength(before);
  const { body } = await ask('Floor area by city?', NORTH);
  expect(body.certified).toBeUndefined();
  expect(product.llm.requests).toHaveLength(before + 1);
});

test('a broken answer is reported when the model is loaded, and goes to the language model', async () => {
  const { body } = await product.call('GET /admin/datasources');
  const [{ problems }] = body.filter(({ id }: { id: string }) => id === 'certain');
  expect(problems.map(({ severity, message }: { severity: string; message: string }) => [severity, message])).toEqual([
    ['warning', expect.stringContaining('the certified answer "Floor area by town?" is broken: rows[0].field: ')],
  ]);
  expect((await ask('Floor area by town?')).body.certified).toBeUndefined();
});

test('the example of the guide is an answer of the demo', async () => {
  const guide = readFileSync('docs/guide/natural-language.md', 'utf8');
  const [, example = ''] = /<!-- example: certified -->\n```yaml\n(.*?)```/s.exec(guide) ?? [];
  const [block] = parse(example).custom_extensions;
  const [{ question, request, by, at }] = JSON.parse(block.data).certified;
  const model = { connection: 'demo', model: 'shop' };
  const { body } = await product.call('POST /ai/semantic/ask', { ...model, question });
  expect(body.certified).toEqual({ question, by, at });
  const { sorts, ...asked } = body.queryUsed;
  expect(asked).toEqual({ ...model, ...request });
});

test('a cube of the demo has certified answers, too', async () => {
  const before = product.llm.requests.length;
  const { status, body } = await product.call('POST /ai/ask', { cube: CUBE, question: 'which categories earned most' });
  expect(status).toBe(200);
  expect(body.certified.question).toBe('Which categories earned most?');
  expect(body.response.data.length).toBeGreaterThan(1);
  expect(product.llm.requests).toHaveLength(before);
});
