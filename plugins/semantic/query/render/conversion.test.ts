/** Tests conversions on every engine: by hand, and against a loop over the events. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['user_id', 'text'],
    ['channel', 'text'],
    ['product', 'text'],
  ],
  rows: [
    [1, '2024-01-01', '2024-01-01 10:00:00', 'u1', 'ads', 'p'],
    [2, '2024-01-03', '2024-01-03 10:00:00', 'u1', 'mail', 'q'],
    [3, '2024-01-03', '2024-01-03 12:00:00', 'u2', 'ads', 'p'],
    [4, '2024-01-31', '2024-01-31 23:00:00', 'u3', 'ads', 'p'],
    [5, '2024-02-10', '2024-02-10 10:00:00', null, 'mail', 'p'],
    [6, '2024-02-11', '2024-02-11 10:00:00', 'u4', null, null],
    [7, null, null, 'u5', 'mail', 'p'],
  ],
};
const BUYS: Table = {
  name: 'buys',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['user_id', 'text'],
    ['product', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    // Of visit 2, the latest of u1; of visit 1 where the product must be p.
    [1, '2024-01-04', '2024-01-04 09:00:00', 'u1', 'p', 1],
    // On the day of visit 2, and before it by the clock: then of visit 1.
    [2, '2024-01-03', '2024-01-03 09:00:00', 'u1', 'p', 2],
    // Six days after visit 3, then seven: no longer within a week.
    [3, '2024-01-09', '2024-01-09 11:00:00', 'u2', 'p', 4],
    [4, '2024-01-10', '2024-01-10 13:00:00', 'u2', 'p', 8],
    // In February, of a visit in January.
    [5, '2024-02-01', '2024-02-01 01:00:00', 'u3', 'p', 16],
    // Without a user.
    [6, '2024-02-10', '2024-02-10 11:00:00', null, 'p', 32],
    // Before every visit, without a visit, and without a day.
    [7, '2024-02-10', '2024-02-10 11:00:00', 'u4', 'p', 64],
    [8, '2024-02-10', '2024-02-10 11:00:00', 'u9', 'p', 128],
    [9, null, null, 'u1', 'p', 256],
  ],
};
const TAGS: Table = {
  name: 'tags',
  columns: [
    ['id', 'integer'],
    ['visit_id', 'integer'],
    ['tag', 'text'],
  ],
  rows: [
    [1, 2, 'x'],
    [2, 2, 'x'],
    [3, 3, 'y'],
    [4, 3, 'x'],
  ],
};

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, kind?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    kind === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kind)}' }]`
  } }`;
const of = (more: object) => ({
  conversion: {
    base: 'visit_count',
    entity: { base: 'visits.user_id', conversion: 'buys.user_id' },
    by: { base: 'visits.day', conversion: 'buys.day' },
    window: { count: 7, grain: 'day' },
    ...more,
  },
});
const clock = { by: { base: 'visits.at', conversion: 'buys.at' } };
const document = (...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: visits
        source: visits
        primary_key: [id]
        fields:
${['day', 'at', 'channel'].map(field).join('\n')}
      - name: buys
        source: buys
        primary_key: [id]
        fields:
${['day', 'at', 'product'].map(field).join('\n')}
      - name: tags
        source: tags
        primary_key: [id]
        fields:
${field('tag')}
    relationships:
      - { name: tagged, from: tags, to: visits, from_columns: [visit_id], to_columns: [id] }
    metrics:
${metric('visit_count', 'COUNT(visits.id)')}
${metric('buyers', 'COUNT(buys.id)', of({ take: 'count' }))}
${metric('rate', 'COUNT(buys.id)', of({}))}
${metric('sold', 'SUM(buys.amount)', of({ take: 'count' }))}
${metric('ever', 'SUM(buys.amount)', of({ take: 'count', window: undefined }))}
${metric('alike', 'SUM(buys.amount)', of({ take: 'count', constant: [{ base: 'visits.product', conversion: 'buys.product' }] }))}
${metric('timely', 'SUM(buys.amount)', of({ take: 'count', ...clock }))}
${metric('soon', 'SUM(buys.amount)', of({ take: 'count', ...clock, window: { count: 3, grain: 'hour' } }))}
${metric('percent', 'rate * 100')}
${more.join('\n')}
`;
const MONTH = { dataset: 'visits', field: 'day', grain: 'month' };
const CHANNEL = { dataset: 'visits', field: 'channel' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines('a window in months on $engine', (engine) => {
  it('is counted back from the conversion event, and not forward from the base event', async () => {
    const visits = [
      [1, '2023-01-28', '2023-01-28 12:00:00', 'u1', 'ads', 'p'],
      [2, '2023-01-29', '2023-01-29 12:00:00', 'u2', 'ads', 'p'],
      [3, '2023-01-31', '2023-01-31 12:00:00', 'u3', 'ads', 'p'],
      [4, '2023-03-01', '2023-03-01 12:00:00', 'u4', 'ads', 'p'],
    ] as const;
    const buys = [
      // A month back from 28 February is 28 January: exactly a month is no longer within it.
      [1, '2023-02-28', '2023-02-28 12:00:00', 'u1', 'p', 1],
      // 29 January and a month is 28 February, too; back from there it is within the month.
      [2, '2023-02-28', '2023-02-28 12:00:00', 'u2', 'p', 2],
      [3, '2023-02-28', '2023-02-28 12:00:00', 'u3', 'p', 4],
      // A month back from 31 March is 28 February.
      [4, '2023-03-31', '2023-03-31 12:00:00', 'u4', 'p', 8],
    ] as const;
    const month = { window: { count: 1, grain: 'month' } };
    const metrics = [
      metric('by_days', 'SUM(buys.amount)', of({ ...month, take: 'count' })),
      metric('by_clocks', 'SUM(buys.amount)', of({ ...month, ...clock, take: 'count' })),
    ];
    const shop = await openOn(engine, [{ ...VISITS, rows: visits }, { ...BUYS, rows: buys }, TAGS], {
      document: document(...metrics),
    });
    try {
      const request = {
        rows: [{ dataset: 'visits', field: 'day' }],
        values: [{ metric: 'by_days' }, { metric: 'by_clocks' }],
      };
      expect(await shop.numbers(request)).toEqual([
        ['2023-01-28', null, null],
        ['2023-01-29', 2, 2],
        ['2023-01-31', 4, 4],
        ['2023-03-01', 8, 8],
      ]);
    } finally {
      await shop.close();
    }
  });
});

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [VISITS, BUYS, TAGS], { document: document() });
    expect(shop.problems.filter(({ message }) => !message.includes('counts rows'))).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);

  test('each event counts once, for the latest visit before it, in the group of that visit', async () => {
    // Within a week by days: 1 and 2 of visit 2, 3 of visit 3, 5 of visit 4.
    expect(await table({ values: values('visit_count', 'buyers', 'rate', 'sold', 'ever', 'percent') })).toEqual([
      [7, 4, 4 / 7, 1 + 2 + 4 + 16, 1 + 2 + 4 + 8 + 16, (4 / 7) * 100],
    ]);
    expect(await table({ rows: [CHANNEL], values: values('visit_count', 'buyers', 'rate', 'sold') })).toEqual([
      ['ads', 3, 2, 2 / 3, 4 + 16],
      ['mail', 3, 2, 2 / 3, 1 + 2],
      [null, 1, 0, 0, null],
    ]);
  });

  test('by the date of the visit, not of the event', async () => {
    expect(await table({ rows: [MONTH], values: values('buyers', 'rate', 'sold') })).toEqual([
      ['2024-01-01', 4, 1, 23],
      ['2024-02-01', 0, 0, null],
      [null, 0, 0, null],
    ]);
    expect(await table({ rows: [CHANNEL], columns: [MONTH], values: values('buyers') })).toEqual([
      ['ads', '2024-01-01', 2],
      ['mail', '2024-01-01', 2],
      ['mail', '2024-02-01', 0],
      ['mail', null, 0],
      [null, '2024-02-01', 0],
    ]);
  });

  test('equal columns select among the visits, and so do times of day', async () => {
    // Product p of u1 was looked at in visit 1.
    expect(await table({ rows: [CHANNEL], values: values('alike') })).toEqual([
      ['ads', 1 + 2 + 4 + 16],
      ['mail', null],
      [null, null],
    ]);
    // By the clock, event 2 is before visit 2 and counts for visit 1; event 3 is within seven times 24 hours.
    expect(await table({ rows: [CHANNEL], values: values('timely', 'soon') })).toEqual([
      ['ads', 2 + 4 + 16, 16],
      ['mail', 1, null],
      [null, null, null],
    ]);
  });

  test('filters select visits after events have been matched', async () => {
    const filters = [{ ...CHANNEL, op: 'EQ', value: 'ads' }];
    expect(await table({ values: values('visit_count', 'buyers', 'rate', 'sold'), filters })).toEqual([
      [3, 2, 2 / 3, 20],
    ]);
    const later = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    expect(await table({ values: values('buyers', 'rate'), filters: later })).toEqual([[0, 0]]);
    const many = [{ metric: 'sold', op: 'GT', value: 3 }];
    expect(await table({ rows: [CHANNEL], values: values('rate'), filters: many })).toEqual([['ads', 2 / 3]]);
    const sorts = [{ metric: 'sold', direction: 'ASC' }];
    expect(await table({ rows: [CHANNEL], values: values('sold'), sorts, limit: 1 })).toEqual([['mail', 3]]);
  });

  test('a visit that joins repeat counts its events once in a group', async () => {
    const tag = { dataset: 'tags', field: 'tag' };
    expect(await table({ rows: [tag], values: values('visit_count', 'buyers', 'sold') })).toEqual([
      ['x', 2, 3, 7],
      ['y', 1, 1, 4],
      [null, 5, 1, 16],
    ]);
  });
});

describe('what a document may declare', () => {
  const open = (text: string, settings = {}) => openOn('duckdb', [VISITS, BUYS, TAGS], { document: text, settings });

  it('an invalid metric is left out and reported; the plan describes the others', async () => {
    const shop = await open(
      document(
        metric('of_nothing', 'COUNT(buys.id)', of({ base: 'views' })),
        metric('of_nobody', 'COUNT(buys.id)', of({ entity: { base: 'visits.customer', conversion: 'buys.user_id' } })),
        metric('swapped', 'COUNT(buys.id)', of({ entity: { base: 'buys.user_id', conversion: 'visits.user_id' } })),
        metric('by_text', 'COUNT(buys.id)', of({ by: { base: 'visits.channel', conversion: 'buys.day' } })),
        metric('hours', 'COUNT(buys.id)', of({ window: { count: 2, grain: 'hour' } })),
        metric('dateless', 'COUNT(buys.id)', of({ by: undefined })),
        metric('again', 'buyers + 1', of({})),
      ),
    );
    try {
      const messages = shop.problems.map(({ message }) => message).join('\n');
      expect(messages).toContain(
        'metric of_nothing: left out: its expression reads views, which is not a metric, outside an aggregate.',
      );
      expect(messages).toContain(
        'metric of_nobody: left out: its expression names visits.customer, which is neither a field nor a column (there is',
      );
      expect(messages).toContain(
        'metric swapped: left out: its expression is a conversion of visits, and what it goes by is of buys.',
      );
      expect(messages).toContain(
        'metric by_text: left out: its expression is by visits.channel, which is neither a date nor a timestamp (visits.day, visits.at).',
      );
      expect(messages).toContain(
        'metric hours: left out: its expression has a window of hours, and its dates have no time of day.',
      );
      expect(messages).toContain(
        'metric dateless: left out: its expression converts events of visits, which has no main date; name one in "by" (visits.day, visits.at).',
      );
      expect(messages).toContain('metric again: left out: its expression is made of a metric of conversions.');
      const { plan } = await shop.operations().preview({ connection: 'test', values: values('rate') } as never);
      expect(plan.steps).toContain(
        'rate counts each event once, for the latest event of visit_count of the 7 days before it with buys.user_id = visits.user_id, in the group of that, and is divided by visit_count.',
      );
    } finally {
      await shop.close();
    }
  });

  it('invisible events do not count, and personal data cannot be the entity unless the metric allows it', async () => {
    const personal = (name: string) =>
      `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] }, custom_extensions: [{ vendor_name: SERVICE, data: '{"pii": true}' }] }`;
    const rows = `custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"row_predicates": {"MAIL": "channel = ''mail''", "*": "1 = 1"}}}' }]`;
    const text = document(metric('open_rate', 'COUNT(buys.id)', { pii: false, ...of({ take: 'count' }) }))
      .replace('        primary_key: [id]', `        primary_key: [id]\n        ${rows}`)
      .replace(field('channel'), `${field('channel')}\n${personal('user_id')}`);
    const shop = await open(text);
    try {
      const messages = shop.problems.map(({ message }) => message).join('\n');
      expect(messages).toContain(
        'metric buyers: left out: its expression reads visits.user_id, which is personal data.',
      );
      expect(await shop.table({ values: values('open_rate') })).toEqual([[4]]);
      // Without the visits by ads, their conversions count for no visit.
      expect(await shop.table({ values: values('open_rate') }, scope('ROLE_USER', 'MAIL'))).toEqual([[2]]);
    } finally {
      await shop.close();
    }
  });

  it('small groups are masked by the events in them', async () => {
    const shop = await open(document(), { kAnonymity: { threshold: 2, mask: -1, shadow: true } });
    try {
      expect(await shop.table({ rows: [CHANNEL], values: values('sold') })).toEqual([
        ['ads', 20],
        ['mail', 3],
        [null, null],
      ]);
      const masked = await shop.table({ rows: [{ dataset: 'visits', field: 'day' }], values: values('sold') });
      expect(masked.filter(([, value]) => value !== null)).toEqual([
        ['2024-01-03', 7],
        ['2024-01-31', -1],
      ]);
    } finally {
      await shop.close();
    }
  });
});
