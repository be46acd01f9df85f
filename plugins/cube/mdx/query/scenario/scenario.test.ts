import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../../../../../router/testing/seed.ts';
import { startWarehouse, type TestWarehouse } from '../../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../../schema/read-schema.ts';
import { ALLOCATIONS, type Change, type MdxCatalog, openCatalog } from '../../index.ts';
import { openShop, SHOP_TABLES } from '../../testing/shop.ts';

/**
 * A cube with few enough leaf cells for a table: shops a1 a2 (in a), b1 (in b); months 1 2 (quarter 1), 3 (quarter 2).
 * The engine's closed form is compared with a change of each leaf cell.
 */
const SHOPS = [
  { region: 'a', shop: 'a1' },
  { region: 'a', shop: 'a2' },
  { region: 'b', shop: 'b1' },
];
const MONTHS = [
  { quarter: 1, month: 1 },
  { quarter: 1, month: 2 },
  { quarter: 2, month: 3 },
];
/** [shop, month, amount]; (a2, 2) and (b1, 1) are empty. */
const FACTS: readonly (readonly [string, number, number])[] = [
  ['a1', 1, 10],
  ['a1', 2, 20],
  ['a1', 3, 5],
  ['a2', 1, 30],
  ['a2', 3, 15],
  ['b1', 2, 8],
  ['b1', 3, 2],
  ['b1', 3, 4],
];
const TABLES: readonly string[] = [
  'CREATE TABLE shop (region VARCHAR(5), shop VARCHAR(5))',
  `INSERT INTO shop VALUES ${SHOPS.map(({ region, shop }) => `('${region}', '${shop}')`).join(', ')}`,
  'CREATE TABLE month (quarter INTEGER, month INTEGER)',
  `INSERT INTO month VALUES ${MONTHS.map(({ quarter, month }) => `(${quarter}, ${month})`).join(', ')}`,
  'CREATE TABLE fact (shop VARCHAR(5), month INTEGER, amount INTEGER)',
  `INSERT INTO fact VALUES ${FACTS.map(([shop, month, amount]) => `('${shop}', ${month}, ${amount})`).join(', ')}`,
];
const SCHEMA = `<Schema name="Tiny">
  <Cube name="Tiny"><Table name="fact"/>
    <Dimension name="Shop" foreignKey="shop"><Hierarchy hasAll="true" primaryKey="shop"><Table name="shop"/>
      <Level name="Region" column="region" uniqueMembers="true"/><Level name="Shop" column="shop" uniqueMembers="true"/>
    </Hierarchy></Dimension>
    <Dimension name="Time" foreignKey="month"><Hierarchy hasAll="true" primaryKey="month"><Table name="month"/>
      <Level name="Quarter" column="quarter" type="Numeric" uniqueMembers="true"/><Level name="Month" column="month" type="Numeric" uniqueMembers="true"/>
    </Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
    <Measure name="Rows" column="amount" aggregator="count"/>
    <CalculatedMember name="Double" dimension="Measures" formula="[Measures].[Amount] * 2"/>
  </Cube>
  <Role name="a"><SchemaGrant access="all"><CubeGrant cube="Tiny" access="all">
    <HierarchyGrant hierarchy="[Shop]" access="custom" rollupPolicy="partial"><MemberGrant member="[Shop].[a]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
</Schema>`;

interface LeafCell {
  readonly shop: string;
  readonly month: number;
  value: number | null;
}

/** Every member of the cube: its unique name, and whether a leaf is below it. */
const SHOP_MEMBERS: readonly (readonly [string, (shop: string) => boolean])[] = [
  ['[Shop].[All Shops]', () => true],
  ['[Shop].[a]', (shop) => shop.startsWith('a')],
  ['[Shop].[a].[a1]', (shop) => shop === 'a1'],
  ['[Shop].[a].[a2]', (shop) => shop === 'a2'],
  ['[Shop].[b]', (shop) => shop.startsWith('b')],
  ['[Shop].[b].[b1]', (shop) => shop === 'b1'],
];
const TIME_MEMBERS: readonly (readonly [string, (month: number) => boolean])[] = [
  ['[Time].[All Times]', () => true],
  ['[Time].[1]', (month) => month < 3],
  ['[Time].[1].[1]', (month) => month === 1],
  ['[Time].[1].[2]', (month) => month === 2],
  ['[Time].[2]', (month) => month === 3],
  ['[Time].[2].[3]', (month) => month === 3],
];

function leafCells(visible: (shop: string) => boolean): LeafCell[] {
  return SHOPS.filter(({ shop }) => visible(shop)).flatMap(({ shop }) =>
    MONTHS.map(({ month }) => {
      const facts = FACTS.filter(([at, when]) => at === shop && when === month);
      return { shop, month, value: facts.length === 0 ? null : facts.reduce((sum, [, , amount]) => sum + amount, 0) };
    }),
  );
}

const total = (cells: readonly LeafCell[]): number | null =>
  cells.every(({ value }) => value === null) ? null : cells.reduce((sum, { value }) => sum + (value ?? 0), 0);

function leavesOf(cells: readonly LeafCell[], { members }: Change): readonly LeafCell[] {
  const inShop = SHOP_MEMBERS.find(([name]) => members.includes(name))?.[1] ?? (() => true);
  const inTime = TIME_MEMBERS.find(([name]) => members.includes(name))?.[1] ?? (() => true);
  return cells.filter(({ shop, month }) => inShop(shop) && inTime(month));
}

/** Applies UPDATE CUBE as the standard defines it, leaf cell by leaf cell. */
function write(cells: readonly LeafCell[], change: Change): void {
  const { value, allocation } = change;
  const leaves = leavesOf(cells, change);
  const before = total(leaves) ?? 0;
  for (const leaf of leaves) {
    const old = leaf.value ?? 0;
    if (allocation === 'equal_allocation') leaf.value = value / leaves.length;
    else if (allocation === 'equal_increment') leaf.value = old + (value - before) / leaves.length;
    else if (leaf.value === null) continue;
    else if (allocation === 'weighted_allocation') leaf.value = value * (old / before);
    else leaf.value = old + (value - before) * (old / before);
  }
}

describe('a scenario', () => {
  let started: TestWarehouse;
  let tiny: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', [...TABLES, ...SHOP_TABLES]);
    const { schema } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error('The schema is wrong.');
    tiny = openCatalog({ schema, warehouse: started.warehouse });
  });
  afterAll(() => started.stop());

  const EVERY_CELL = `select {${SHOP_MEMBERS.map(([name]) => name).join()}} on 0, {${TIME_MEMBERS.map(([name]) => name).join()}} on 1 from Tiny`;

  async function compare(changes: readonly Change[]): Promise<void> {
    const cells = leafCells(() => true);
    let biggest = 1;
    for (const change of changes) {
      write(cells, change);
      for (const { value } of cells) biggest = Math.max(biggest, Math.abs(value ?? 0));
    }
    const expected = TIME_MEMBERS.flatMap(([, inTime]) =>
      SHOP_MEMBERS.map(([, inShop]) => total(cells.filter(({ shop, month }) => inShop(shop) && inTime(month)))),
    );
    const got = (await tiny.query(EVERY_CELL, { scenario: { changes } })).cells.map(({ value }) => value);
    expect(got.map((value) => value === null)).toEqual(expected.map((value) => value === null));
    // The precision of doubles as large as the leaf cells were on the way.
    for (const [index, value] of got.entries()) {
      expect(Math.abs(Number(value) - (expected[index] ?? 0))).toBeLessThan(biggest * 1e-9);
    }
  }

  const change = (members: readonly string[], value: number, allocation: Change['allocation']): Change => ({
    measure: 'Amount',
    members,
    value,
    allocation,
  });

  describe.each(['equal_allocation', 'equal_increment', 'weighted_allocation', 'weighted_increment'] as const)(
    'with %s',
    (allocation) => {
      it.each([
        ['the whole cube', []],
        ['a region', ['[Shop].[a]']],
        ['a region in a quarter, part of it empty', ['[Shop].[a]', '[Time].[1]']],
        ['a leaf', ['[Shop].[a].[a1]', '[Time].[1].[2]']],
        ['a shop in a quarter', ['[Shop].[b].[b1]', '[Time].[1]']],
      ])('changes %s and the cells above, beside and below it', async (_, members) => {
        await compare([change(members, 500, allocation)]);
      });

      it('changes the result of earlier changes', async () => {
        await compare([
          change(['[Shop].[a]'], 200, allocation),
          change(['[Time].[1]'], 60, allocation),
          change(['[Shop].[a].[a1]', '[Time].[1]'], 33, 'equal_increment'),
          change([], 1000, allocation),
          change(['[Shop].[b]', '[Time].[1].[2]'], 7, 'equal_allocation'),
        ]);
      });
    },
  );

  it('of any changes equals a change of each leaf cell', async () => {
    const some = fc.record({
      shop: fc.constantFrom(undefined, ...SHOP_MEMBERS.map(([name]) => name)),
      time: fc.constantFrom(undefined, ...TIME_MEMBERS.map(([name]) => name)),
      value: fc.integer({ min: -500, max: 500 }),
      allocation: fc.constantFrom(...ALLOCATIONS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 1, maxLength: 6 }), async (drawn) => {
        const changes = drawn.map(({ shop, time, value, allocation }) =>
          change(
            [shop, time].filter((name) => name !== undefined),
            value,
            allocation,
          ),
        );
        const cells = leafCells(() => true);
        // A cell that is empty, 0 or nearly 0 cannot be weighed, or its results are too large to compare.
        const weighable = changes.every((each) => {
          const before = total(leavesOf(cells, each)) ?? 0;
          write(cells, each);
          return each.allocation.startsWith('equal') || Math.abs(before) > 1;
        });
        if (weighable) await compare(changes);
      }),
      { numRuns: 150, seed: SEED },
    );
  });

  it('fills an empty cell with the equal rules, and refuses the weighted rules', async () => {
    const empty = ['[Shop].[a].[a2]', '[Time].[1].[2]'];
    await compare([change(empty, 6, 'equal_allocation')]);
    await compare([change(empty, 6, 'equal_increment')]);
    await expect(
      tiny.query(EVERY_CELL, { scenario: { changes: [change(empty, 6, 'weighted_allocation')] } }),
    ).rejects.toMatchObject({
      field: 'scenario.changes[0].allocation',
      message: expect.stringContaining('there are no weights'),
    });
  });

  it('affects calculated members, sets and totals of sets', async () => {
    const result = await tiny.query(
      `with member [Time].[Both] as Aggregate({[Time].[1], [Time].[2]})
       select {[Measures].[Amount], [Measures].[Double]} on 0, {[Time].[Both]} on 1 from Tiny where {[Shop].[a].[a1], [Shop].[b]}`,
      { scenario: { changes: [change(['[Shop].[b]'], 65, 'weighted_allocation')] } },
    );
    expect(result.cells.map(({ value }) => value)).toEqual([100, 200]); // 35 of a1 and 65
    const filled = await tiny.query('select non empty [Shop].[Shop].Members on 0 from Tiny where [Time].[1].[2]', {
      scenario: { changes: [change([], 90, 'equal_allocation')] },
    });
    expect(filled.cells.map(({ value }) => value)).toEqual([10, 10, 10]); // a2 had no facts
    const joined = await tiny.query(
      'select NonEmptyCrossJoin([Shop].[Shop].Members, [Time].[Month].Members) on 0 from Tiny',
      { scenario: { changes: [change([], 90, 'equal_allocation')] } },
    );
    expect(joined.cells).toHaveLength(9);
  });

  it('does not change other measures and later queries', async () => {
    const query = 'select {[Measures].[Rows], [Measures].[Amount]} on 0 from Tiny';
    const changed = await tiny.query(query, { scenario: { changes: [change([], 1, 'equal_allocation')] } });
    expect(changed.cells.map(({ value }) => value)).toEqual([8, 1]);
    expect((await tiny.query(query)).cells.map(({ value }) => value)).toEqual([8, 94]);
  });

  it('spreads only over the members that a role sees', async () => {
    const scenario = { changes: [change([], 60, 'equal_allocation')] };
    const result = await tiny.query('select {[Shop].[All Shops], [Shop].[a].[a1]} on 0 from Tiny', {
      roles: ['a'],
      scenario,
    });
    expect(result.cells.map(({ value }) => value)).toEqual([60, 30]);
    await expect(
      tiny.query('select from Tiny', {
        roles: ['a'],
        scenario: { changes: [change(['[Shop].[b]'], 1, 'equal_increment')] },
      }),
    ).rejects.toThrow("There is no member '[Shop].[b]'");
  });

  it('spreads over the own data of the members of a parent-child hierarchy', async () => {
    const shop = openShop(started.warehouse);
    for (const cube of ['Staff', 'Staff without closure']) {
      const result = await shop.query(
        `select {[Employee].[Ada], [Employee].[Ada].[Bo], [Employee].[Ada].[Bo].[Di], [Employee].[Ada].[Cy]} on 0 from [${cube}]`,
        {
          scenario: {
            changes: [
              { measure: 'Salary', members: ['[Employee].[Ada].[Bo]'], value: 100, allocation: 'equal_allocation' },
            ],
          },
        },
      );
      // Bo and Di have 50 each instead of 60 together; Ada's 200 grow by 40.
      expect(result.cells.map(({ value }) => value)).toEqual([240, 100, 50, 40]);
    }
  });

  it.each([
    [{ measure: 'Rows' }, 'measure', "'Rows' cannot be changed: it is aggregated by count"],
    [{ measure: 'Double' }, 'measure', "'Double' cannot be changed: it is calculated"],
    [{ measure: 'Amont' }, 'measure', "There is no measure 'Amont' in cube 'Tiny'."],
    [{ members: ['[Shop].[c]'] }, 'members[0]', "There is no member '[Shop].[c]'"],
    [{ members: ['[Shop].['] }, 'members[0]', "There is no member '[Shop].['"],
    [{ members: ['[Shop].[a]', '[Shop].[b]'] }, 'members[1]', 'The cell has two members of [Shop].'],
    [{ value: Number.NaN }, 'value', 'The value must be a finite number.'],
  ])('refuses %o', async (part, field, message) => {
    const changes = [{ ...change([], 1, 'equal_allocation'), ...part }];
    await expect(tiny.query(EVERY_CELL, { scenario: { changes } })).rejects.toMatchObject({
      field: `scenario.changes[0].${field}`,
      message: expect.stringContaining(message),
    });
  });
});
