/**
 * Tests schemas that are loaded again, through REST, on a cube with figures computed by hand; see `testing/store.ts`.
 */
import { expect, it } from 'vitest';
import { describeStore, REGIONS } from '../testing/engine-fixture.ts';
import { TENANT } from '../testing/fixture.ts';
import { STORE_SCHEMA } from '../testing/store.ts';

describeStore('another version of the schema', (store) => {
  it('is served if it can be read; otherwise the earlier version stays, and the problem has its line', async () => {
    const versions = await store.open();
    const broken = STORE_SCHEMA.replace('aggregator="sum"', 'aggregator="some"');
    expect(await versions.reload(broken)).toEqual([
      { severity: 'error', line: expect.any(Number), message: expect.stringContaining('"some"') },
    ]);
    expect((await versions.reload('<Schema name="x"><Cube name="y">'))[0]).toMatchObject({ severity: 'error' });
    expect(await versions.table(REGIONS)).toEqual([
      ['North', 39],
      ['South', 8],
    ]);
    const renamed = STORE_SCHEMA.replace(
      '<Measure name="Units" column="units"',
      '<Measure name="Units" column="amount"',
    );
    expect(await versions.reload(renamed)).toEqual([]);
    expect(await versions.table(REGIONS)).toEqual([
      ['North', 394.5],
      ['South', 80],
    ]);
    versions.surface.loaderOf(TENANT).unload('test');
    expect((await versions.call('GET /cubes')).body).toEqual([]);
    await versions.close();
  });

  it('is served with a warning if the warehouse lacks a table or a column', async () => {
    const versions = await store.open();
    const problems = await versions.reload(
      STORE_SCHEMA.replace('<Table name="store"/>', '<Table name="shop"/>').replace(
        'column="month_no"',
        'column="month_number"',
      ),
    );
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: The warehouse has no table shop.',
      'warning: The table period has no column month_number.',
    ]);
    await versions.close();
  });
});
