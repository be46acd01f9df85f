/** Tests which part of a large model a question is asked with: the names that its right query needs are in it. */
import { expect, it, describe as suite, test } from 'vitest';
import type { AskElement, AskSubject } from '../../router/ask-source.ts';
import { describe } from './describe-subject.ts';
import { MAX_TOOLS_LENGTH } from './limits.ts';
import { toolsOf } from './model-tools.ts';

/** 40 datasets with 25 fields each, and five metrics of each. */
const DATASETS =
  'orders invoices shipments returns payments refunds customers suppliers products warehouses employees contracts tickets calls campaigns leads visits sessions subscriptions claims policies loans accounts transfers machines sensors repairs parts routes vehicles drivers trips fuel stores shelves promotions coupons reviews surveys budgets'.split(
    ' ',
  );
const FIELDS =
  'created_on closed_on status country region city postcode channel currency language priority category owner approved_by source_system external_reference note colour weight_class size_class risk_grade score_band age_band quarter_label batch'.split(
    ' ',
  );
const METRICS: Readonly<Record<string, readonly string[]>> = {
  count: ['number of', 'how many'],
  amount: ['value', 'volume'],
  average_amount: ['mean value'],
  cost: ['expense', 'spend'],
  rate: ['share', 'quota'],
};

function element(of: Pick<AskElement, 'kind' | 'name'> & Partial<AskElement>): AskElement {
  return {
    label: of.name.replace(/[._]/g, ' '),
    synonyms: [],
    description: 'As the department that is responsible for it delivers it, checked once a night.',
    instructions: undefined,
    questions: [],
    facts: ['text'],
    ...of,
  };
}

const ELEMENTS: readonly AskElement[] = DATASETS.flatMap((dataset) => [
  ...Object.entries(METRICS).map(([metric, synonyms]) =>
    element({ kind: 'metric', name: `${dataset}_${metric}`, synonyms, companions: [`${dataset}.created_on`] }),
  ),
  element({ kind: 'dataset', name: dataset }),
  ...FIELDS.map((field) => element({ kind: 'field', name: `${dataset}.${field}` })),
]);

const SUBJECT: AskSubject = {
  reference: 'large/company',
  target: {},
  title: 'company',
  description: undefined,
  instructions: undefined,
  questions: [],
  elements: ELEMENTS,
  notes: [],
  examples: [],
  certified: [],
  tool: { name: 'Write', inputSchema: { type: 'object', properties: {} } },
  check: () => Promise.reject(new Error('nothing is asked')),
  run: () => Promise.reject(new Error('nothing is asked')),
};

const QUESTIONS: readonly (readonly [question: string, ...names: string[]])[] = [
  ['Shipments cost by region', 'shipments_cost', 'shipments.region'],
  ['How many tickets were closed each month?', 'tickets_count', 'tickets.closed_on'],
  ['Payments by currency and channel', 'payments_amount', 'payments.currency', 'payments.channel'],
  ['How did refunds develop over the last two years?', 'refunds_amount', 'refunds.created_on'],
  ['Which vehicle category has the highest repair spend?', 'repairs_cost', 'vehicles.category'],
  ['average loan amount per risk grade', 'loans_average_amount', 'loans.risk_grade'],
  ['Number of orders by customer country', 'orders_count', 'customers.country'],
  ['Invoice volume by quarter label', 'invoices_amount', 'invoices.quarter_label'],
  ['open claims per owner', 'claims_count', 'claims.owner', 'claims.status'],
  ['Coupons used per campaign', 'coupons_count', 'campaigns.category'],
  ['Return rate by product colour', 'returns_rate', 'products.colour'],
  ['What does fuel cost us per route and week?', 'fuel_cost', 'routes.region', 'fuel.created_on'],
  ['Subscription quota by age band', 'subscriptions_rate', 'subscriptions.age_band'],
  ['WHO APPROVED THE MOST CONTRACTS', 'contracts_count', 'contracts.approved_by'],
  ['sensor batches with many machine repairs', 'repairs_count', 'sensors.batch'],
  ['mean value of transfers in each city', 'transfers_average_amount', 'transfers.city'],
  ['employes by langage', 'employees_count', 'employees.language'],
  ['budget of the warehouses by priority', 'budgets_amount', 'warehouses.priority'],
  ['survey score bands by store region', 'surveys.score_band', 'stores.region'],
  ['supplier expense since January', 'suppliers_cost', 'suppliers.created_on'],
];

suite('of 40 datasets, 1,000 fields and 200 metrics', () => {
  /** The default of `service.ai.ask.maxSchemaTokens`. A third of the model has space in it. */
  const maxTokens = 12_000;
  const described = async (question: string) => {
    const { stable, chosen } = await describe(SUBJECT, { question, maxTokens, sharesValues: false });
    return `${stable}\n${chosen}`;
  };

  it.each(QUESTIONS)('the part for "%s" has what its query names', async (question, ...names) => {
    const text = await described(question);
    expect(names.filter((name) => !text.includes(`\n- ${name} `))).toEqual([]);
    expect(Buffer.byteLength(text)).toBeLessThan(3 * maxTokens * 1.02);
  });

  it('is chosen alike each time', async () => {
    const [[question] = ['']] = QUESTIONS;
    expect(await described(question)).toBe(await described(question));
  });
});

test('the tools of a question stay within their bound whatever a schema has, and keep its members', () => {
  const texts = { type: 'string', description: 'x'.repeat(300) };
  const inputSchema = {
    type: 'object',
    properties: {
      rows: { type: 'array', description: 'Fields.', items: { type: 'object', properties: { field: texts } } },
      ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`part_${n}`, { items: { ...texts, minLength: n } }])),
      period: { type: 'string', enum: Array.from({ length: 900 }, (_, n) => `period ${n}`) },
      direction: { enum: ['ASC', 'DESC'] },
    },
  };
  const tools = toolsOf({ ...SUBJECT, tool: { name: 'Write', inputSchema } }, { hasSkills: true, mayAskBack: true });
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(MAX_TOOLS_LENGTH);
  const [{ inputSchema: shortened }] = tools;
  expect(shortened.properties).toMatchObject({
    rows: { description: 'Fields.' },
    period: { type: 'string' },
    direction: { enum: ['ASC', 'DESC'] },
  });
  expect(Object.keys(Object(shortened.properties))).toHaveLength(63);
});
