/**
 * Tests masking of small groups in answers, through REST, on a cube with figures computed by hand; see
 * `testing/store.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStore, REGIONS, resultOf, SHOPS } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';

describeStore('small groups', (store) => {
  let masking: Fixture;
  beforeAll(async () => {
    masking = await store.open({ kAnonymity: { threshold: 3, mask: null } });
  });
  afterAll(() => masking.close());

  it('are masked by the facts behind them, for every measure', async () => {
    const { body } = await masking.call('POST /query', REGIONS); // North 4 facts, South 2
    expect(body.data).toEqual([
      { Region: 'North', 'Units sold': { value: 39, formatted: '39', unit: 'pcs' } },
      { Region: 'South', 'Units sold': { value: null, formatted: '-', unit: null, suppressed: true } },
    ]);
    expect(body.metadata.suppressed).toEqual({ count: 1, reason: expect.stringContaining('3') });
  });

  it('are counted among the shown rows, not among rows that were cut off', async () => {
    const cut = await store.open({ kAnonymity: { threshold: 3, mask: null }, maxRows: 1 });
    const { body } = await cut.call('POST /query', REGIONS); // South, which is masked, is cut off
    expect([body.totalRows, body.metadata.truncated, body.metadata.suppressed]).toEqual([1, true, undefined]);
    await cut.close();
  });

  it('are masked by a measure that counts, if one is requested', async () => {
    const { body } = await masking.call('POST /query', { ...REGIONS, measures: [{ name: 'Customers' }] });
    expect(body.data.map((row: { Customers: { suppressed?: true } }) => row.Customers.suppressed)).toEqual([
      true,
      true,
    ]);
  });

  it('are masked in a matrix, too, and with the token of the settings', async () => {
    const tokens = await store.open({ kAnonymity: { threshold: 3, mask: -1 } });
    const { body } = await tokens.call('POST /query?format=matrix', REGIONS);
    expect(body.matrix[1]).toEqual({ 0: 'South', 1: { value: -1, formatted: '-1', unit: null, suppressed: true } });
    await tokens.close();
  });

  it('are masked for roles that may not see the measures that count', async () => {
    const { body } = await masking.call('POST /query', SHOPS, scope('north')); // 2 facts each
    expect(body.data.map((row: Record<string, { suppressed?: true }>) => row['Units sold']?.suppressed)).toEqual([
      true,
      true,
    ]);
  });

  it('cannot be ranked: they follow all others', async () => {
    const request = { ...REGIONS, order: [{ by: 'Units', direction: 'asc' }] }; // South would be the first
    expect(await masking.table(request)).toEqual([
      ['North', 39],
      ['South', null],
    ]);
    expect(await masking.table({ ...request, limit: 1 })).toEqual([['North', 39]]);
    expect(await masking.table({ ...request, limit: 2 })).toEqual([
      ['North', 39],
      ['South', null],
    ]);
  });

  it('are masked separately in each column', async () => {
    const { body } = await masking.call('POST /query', {
      ...REGIONS,
      columns: [{ dimension: 'Time', level: 'Year' }],
    });
    expect(body.data).toMatchObject([
      { Region: 'North', '2025 / Units sold': { value: 35 }, '2026 / Units sold': { suppressed: true } },
      { Region: 'South', '2025 / Units sold': { suppressed: true }, '2026 / Units sold': { value: null } },
    ]);
  });

  it('are masked in what-if answers and asynchronous ones', async () => {
    const whatIf = await masking.call('POST /scenario/whatif', {
      query: REGIONS,
      changes: [{ measure: 'Units', members: ['[Store].[South]'], value: 100 }],
    });
    expect(whatIf.body.data[1]['Units sold']).toMatchObject({ suppressed: true });
    const { body } = await masking.call('POST /query/execute-async', REGIONS);
    const result = await resultOf(masking, body.queryId);
    expect(result.body.data[1]['Units sold']).toMatchObject({ suppressed: true });
  });

  it('are not drilled through', async () => {
    const { body } = await masking.call('POST /query', REGIONS);
    const north = await masking.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
    expect(north).toMatchObject({ status: 200, body: { rowCount: 4 } });
    expect(await masking.call(`GET /query/${body.queryId}/drillthrough?position=0:1`)).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  });
});
