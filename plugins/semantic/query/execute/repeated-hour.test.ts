/** Instants in the hour that a clock shows twice are two, wherever an answer shows them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../../router/testing/not-run.ts';
import { engineMissing } from '../../../../server/warehouse/testing/engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';

/** The clocks of Berlin show 02:30 for both of the first: summer time ends between them. */
const INSTANTS = ['2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '2024-10-27T12:00:00Z'];
const SET_UP = [
  'CREATE TABLE events (id INTEGER, at TIMESTAMP(6) WITH TIME ZONE)',
  `INSERT INTO events VALUES ${INSTANTS.map((instant, id) => {
    const text = instant.replace('T', ' ').replace('Z', ' UTC');
    return `(${id}, TIMESTAMP '${text}' AT TIME ZONE 'Europe/Berlin')`;
  }).join(', ')}`,
];
const metric = (name: string, expression: string) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${expression} }] }`;
const DOCUMENT = `
semantic_model:
  - name: events
    datasets:
      - { name: events, source: events, primary_key: [id], fields: [{ name: at, expression: [{ dialect: ANSI_SQL, expression: at }] }] }
    metrics:
${metric('events', 'COUNT(events.id)')}
${metric('first_at', 'MIN(events.at)')}
${metric('last_at', 'MAX(events.at)')}
`;

const missing = engineMissing('trino');
describe.skipIf(missing !== undefined)(titleNeeding('on trino', missing), () => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn('trino', SET_UP, { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const at = { dataset: 'events', field: 'at' };

  it('groups, and found again by what they show', async () => {
    const rows = await shop.table({ rows: [at], values: [{ metric: 'events' }, { metric: 'first_at' }] });
    expect(rows).toEqual(INSTANTS.map((instant) => [instant, 1, instant]));
    for (const value of INSTANTS) {
      expect(await shop.table({ rows: [at], filters: [{ ...at, op: 'EQ', value }] })).toEqual([[value]]);
    }
  });

  it('the first and the last', async () => {
    const filters = [{ ...at, op: 'LT', value: '2024-10-27T02:00:00Z' }];
    const values = [{ metric: 'first_at' }, { metric: 'last_at' }];
    expect(await shop.table({ values, filters })).toEqual([INSTANTS.slice(0, 2)]);
  });

  it('hours in UTC and in the zone', async () => {
    const hours = [{ ...at, grain: 'hour' }];
    const expected = INSTANTS.map((instant) => [instant.replace(':30:', ':00:'), 1]);
    const values = [{ metric: 'events' }];
    expect(await shop.table({ rows: hours, values })).toEqual(expected);
    expect(await shop.table({ rows: hours, values, timezone: 'Europe/Berlin' })).toHaveLength(3);
  });

  it('values that are searched, and samples', async () => {
    const operations = shop.operations();
    const { matches } = await operations.searchValues({ connection: 'test', ...at });
    expect(matches).toEqual(INSTANTS);
    const q = '2024-10-27T00:30';
    expect((await operations.searchValues({ connection: 'test', ...at, q })).matches).toEqual(INSTANTS.slice(0, 1));
    const { datasets } = await operations.schema({ connection: 'test', model: 'events' });
    expect(datasets.events?.fields.at?.sampleValues?.toSorted()).toEqual(INSTANTS);
  });
});
