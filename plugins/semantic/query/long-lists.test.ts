/**
 * Tests that long lists of values are bound as one parameter and mean the same as short ones: every type, on every engine.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { MAX_FILTER_VALUES, MAX_SINGLY_BOUND } from '../limits.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../testing/column-types.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { countThings, expectOneRow } from '../testing/find-one-row.ts';
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
  const count = (field: string, values: readonly Value[]) => countThings(fixture, [inList(field, values)]);

  it('finds the rows of the values that are shown, of every type', { timeout: 300_000 }, async () => {
    const fields = Object.keys(COLUMNS_OF[engine]);
    const [, second = []] = await fixture.table({ rows: fields.map((field) => ({ dataset: 'things', field })) });
    const many = (value: unknown) => Array<string>(MAX_SINGLY_BOUND).fill(String(value));
    const lists = fields.map((field, at) => inList(field, [...many(second[at]), String(second[at])]));
    await expectOneRow(fixture, lists);
    // Trino gets each value of a list by itself, like the values of a short list: these lists show that none is lost, and that not all rows are kept.
    if (engine === 'trino') return;
    const wrong: unknown[] = [];
    for (const field of fields) {
      const { matches } = await fixture.operations().searchValues({ connection: 'test', dataset: 'things', field });
      const [first = '', other = ''] = matches;
      const both = await count(field, [...many(first), ...many(other)]);
      const one = await count(field, [...many(other), other]);
      if (both !== 2 || one !== 1) wrong.push([field, matches, both, one]);
    }
    expect(wrong).toEqual([]);
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
      .preview({ connection: 'test', values: [{ metric: 'things' }], filters: [inList('whole', numbers)] });
    // MariaDB and Trino take them one by one.
    if (engine !== 'mariadb' && engine !== 'trino') expect(generatedSql.length).toBeLessThan(1_000);
  });
});
