/**
 * Tests that long lists of values are bound as one parameter and mean the same as short ones: every type, on every engine.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { MAX_FILTER_VALUES, MAX_SINGLY_BOUND } from '../limits.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../testing/column-types.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';

/** Texts with a special meaning in some format of lists: JSON, arrays, addresses, formats of values. */
const SPECIAL = ['"', "'", '\\', '\\n', '\n', '\t', ',', '{}', '[]', '%', '+', '&', 'é', '漢', '😀', 'NULL', '\\N', ''];

describeEngines('on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openOn(engine, thingsOf(engine), { document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  type Value = string | number | boolean;
  const inList = (field: string, values: readonly Value[]) => ({
    dataset: 'things',
    field,
    op: 'IN' as const,
    values: [...values],
  });
  const request = (...filters: object[]) => ({ values: [{ metric: 'things' }], filters });
  const counted = async (...filters: object[]) => (await fixture.table(request(...filters)))[0]?.[0];
  const count = (field: string, values: readonly Value[]) => counted(inList(field, values));

  it('finds the rows of the values that are shown, of every type', { timeout: 300_000 }, async () => {
    const fields = Object.keys(COLUMNS_OF[engine]);
    const shown = await fixture.table({ rows: fields.map((field) => ({ dataset: 'things', field })) });
    expect(shown).toHaveLength(2);
    const long = (field: number, row: number): Value[] => Array(MAX_SINGLY_BOUND + 1).fill(shown[row]?.[field]);
    // One question has each list find its row, the other has none of them find the other row.
    const lists = fields.map((field, at) => inList(field, long(at, 1)));
    if ((await counted(...lists)) !== 1 || (await counted({ any: lists })) !== 1) {
      for (const list of lists) expect([list, await counted(list)]).toEqual([list, 1]);
      expect.fail('The lists find their row alone, and not together.');
    }
    // Trino gets each value of a list by itself, like the values of a short list: these lists show that none is lost.
    if (engine === 'trino') return;
    const all = fields.map((field, at) => inList(field, [...long(at, 0), ...long(at, 1)]));
    for (const list of all) expect([list, await counted(list)]).toEqual([list, 2]);
  });

  it('takes as many values as a filter may have, with any characters', { timeout: 300_000 }, async () => {
    const texts = Array.from({ length: MAX_FILTER_VALUES - 2 }, (_, at) => `${SPECIAL[at % SPECIAL.length]}${at}`);
    const numbers = Array.from({ length: MAX_FILTER_VALUES - 2 }, (_, at) => at);
    expect(await count('word', ["a'b", ...texts, '100%'])).toBe(2);
    expect(await count('word', ["a'b", ...texts, '100'])).toBe(1);
    expect(await count('whole', ['9007199254740993', ...numbers, -5])).toBe(2);
    expect(await count('whole', ['9007199254740992', ...numbers, -6])).toBe(0);
  });

  it('of decimals and doubles is as exact as a single value', { timeout: 300_000 }, async () => {
    const numbers = Array.from({ length: 2_000 }, (_, at) => `${at}.25`);
    expect(await count('amount', ['2.5', ...numbers])).toBe(1);
    expect(await count('amount', ['2.500001', ...numbers])).toBe(0);
    expect(await count('ratio', [0.1, ...numbers, 1e300])).toBe(2);
    expect(await count('ratio', [0.1000000001, ...numbers])).toBe(0);
  });

  it('of texts with a total length that the engine refuses is refused at its place', async () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => `${'long '.repeat(380)}${at}`);
    const outcome = await count('word', texts).catch((error: unknown) => error);
    if (outcome === 0) return;
    expect(outcome).toBeInstanceOf(ValidationError);
    expect(outcome).toMatchObject({ field: 'filters[0].values' });
  });

  it('is written into the statement once', async () => {
    const numbers = Array.from({ length: 2_000 }, (_, at) => at);
    const { generatedSql } = await fixture
      .operations(scope())
      .preview({ connection: 'test', ...request(inList('whole', numbers)) });
    // MariaDB and Trino take them one by one.
    if (engine !== 'mariadb' && engine !== 'trino') expect(generatedSql.length).toBeLessThan(1_000);
  });
});
