/** Hours that clocks show twice or not at all, north and south of the equator, are hours of their own. Figures by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** A day of each zone that has 25 or 23 hours, the instant of its first hour, and two events around the change. */
const CHANGES = [
  { zone: 'Europe/Berlin', day: '2024-10-27', first: '2024-10-26T22:00', hours: 25, events: ['27T00:30', '27T01:30'] },
  { zone: 'Europe/Berlin', day: '2024-03-31', first: '2024-03-30T23:00', hours: 23, events: ['31T00:59', '31T01:00'] },
  {
    zone: 'Australia/Sydney',
    day: '2024-04-07',
    first: '2024-04-06T13:00',
    hours: 25,
    events: ['06T15:30', '06T16:30'],
  },
  {
    zone: 'Australia/Sydney',
    day: '2024-10-06',
    first: '2024-10-05T14:00',
    hours: 23,
    events: ['05T15:59', '05T16:00'],
  },
] as const;
const instantsOf = ({ day, events }: (typeof CHANGES)[number]) => events.map((one) => `${day.slice(0, 8)}${one}`);
const EVENTS: Table = {
  name: 'events',
  columns: [
    ['id', 'integer'],
    ['at', 'timestamp'],
  ],
  rows: CHANGES.flatMap(instantsOf).map((instant, id) => [id, `${instant.replace('T', ' ')}:15`]),
};
const DOCUMENT = `
semantic_model:
  - name: events
    datasets:
      - { name: events, source: events, primary_key: [id], fields: [{ name: at, expression: [{ dialect: ANSI_SQL, expression: at }] }] }
    metrics:
      - { name: events, expression: [{ dialect: ANSI_SQL, expression: COUNT(events.id) }] }
`;
const HOUR = 3_600_000;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [EVENTS], { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it.each(CHANGES)('$day in $zone', async (change) => {
    const { zone, day, first, hours } = change;
    const at = { dataset: 'events', field: 'at' };
    const request = {
      values: [{ metric: 'events' }],
      filters: [{ ...at, grain: 'day', op: 'EQ', value: day }],
      timezone: zone,
    };
    const table = async (grain: object) => {
      const rows = await shop.table({ ...request, rows: [{ ...at, ...grain }] });
      return rows.map(([moment, count]) => [Date.parse(String(moment)), count]);
    };
    const [before, after] = instantsOf(change).map((one) => Date.parse(`${one}Z`));
    expect(await table({ grain: 'minute' })).toEqual([
      [before, 1],
      [after, 1],
    ]);
    const hourOf = (instant = 0) => instant - (instant % HOUR);
    expect(await table({ grain: 'hour' })).toEqual([
      [hourOf(before), 1],
      [hourOf(after), 1],
    ]);
    const start = Date.parse(`${first}Z`);
    const every = Array.from({ length: hours }, (_, index) => start + index * HOUR);
    const filled = await table({ grain: 'hour', fill: 'zero' });
    expect(filled).toEqual(every.map((hour) => [hour, hour === hourOf(before) || hour === hourOf(after) ? 1 : 0]));
  });
});
