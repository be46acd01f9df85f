/** Tests that mistakes in formulas and grants are reported with their line, with and without data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { quietLog, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { checkSchema } from '../offline/commands.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { CUBE, TRADE_SCHEMA, TRADE_TABLES } from '../testing/trade.ts';

const PRICE =
  '<CalculatedMember name="Price" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Units]"/>';
const calculated = (...formulas: readonly string[]) =>
  TRADE_SCHEMA.replace(
    PRICE,
    [
      PRICE,
      ...formulas.map(
        (formula, index) => `<CalculatedMember name="F${index}" dimension="Measures" formula="${formula}"/>`,
      ),
    ].join('\n'),
  ).replace(/<Role name="no one">[\s\S]*?<\/Role>/, '');
const granted = (grant: string) =>
  TRADE_SCHEMA.replace(/<Role name="no one">[\s\S]*?<\/Role>/, '').replace(
    '<MemberGrant member="[Place].[North].[Oslo]" access="all"/>',
    `\n${grant}\n`,
  );

/** Returns the line of the schema that contains the text. */
const lineOf = (schema: string, text: string) => schema.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('a schema', () => {
  let warehouse: TestWarehouse;
  let state: StateStore;
  let cubes: Fixture;
  beforeAll(async () => {
    warehouse = await startWarehouse('duckdb', TRADE_TABLES);
    state = await openState({ url: undefined, sqliteFile: ':memory:', log: quietLog });
    await state.migrate({ cube: recentQueryMigrations });
    cubes = await Fixture.open({
      warehouses: warehouse.warehouses,
      address: warehouse.address,
      cache: openCache({ maxBytes: 0, clock: Date.now }),
      state,
      schema: calculated(),
    });
  });
  afterAll(async () => {
    await cubes.close();
    await state.close();
    await warehouse.stop();
  });

  it('without mistakes has no problem', async () => {
    expect(cubes.problems).toEqual([]);
    expect((await checkSchema(calculated(), { warehouse: undefined })).problems).toEqual([]);
    expect((await checkSchema(calculated(), { warehouse: warehouse.warehouse })).problems).toEqual([]);
  });

  it.each([
    ['a measure', '[Measures].[Amout] * 2', /There is no measure Amout/, true],
    ['a function', 'Summ([Place].[Region].Members, [Measures].[Units])', /There is no function Summ/, true],
    ['a function of members', '([Measures].[Units], [Place].CurrentMember.Previous)', /Previous/, true],
    ['a member', '([Measures].[Units], [Place].[Nort])', /\[Place\]\.\[Nort\]/, false],
    ['a level', 'Sum([Place].[Regions].Members, [Measures].[Units])', /\[Place\]\.\[Regions\]/, false],
    ['a member of a deeper level', '([Measures].[Units], [Time].[2025].[Q3])', /\[Q3\]/, false],
    ['a set', '[Place].[Region].Members', /must be a value or a member/, true],
  ])('with a formula with a mistake in %s reports its line', async (_, formula, message, isKnownWithoutData) => {
    const schema = calculated('[Measures].[Units] * 2', formula);
    const expected = {
      severity: 'warning',
      line: lineOf(schema, 'name="F1"'),
      message: expect.stringMatching(message),
    };
    expect(await cubes.reload(schema)).toEqual([expected]);
    expect((await checkSchema(schema, { warehouse: warehouse.warehouse })).problems).toEqual([expected]);
    expect((await checkSchema(schema, { warehouse: undefined })).problems).toEqual(
      isKnownWithoutData ? [expected] : [],
    );
    // Formulas without mistakes are served, and a broken one is not a failure of the service.
    const ask = (name: string) => cubes.call('POST /query', { cube: CUBE, measures: [{ name }] }, scope('everything'));
    expect((await ask('F0')).status).toBe(200);
    expect(await ask('F1')).toMatchObject({ status: 400, body: { field: 'measures' } });
  });

  it('with a formula of several lines reports the line of the name', async () => {
    const formula = '<Formula>[Measures].[Units]\n + [Measures].[Amount]\n + [Measures].[Unit]</Formula>';
    const member = `<CalculatedMember name="Long" dimension="Measures">${formula}</CalculatedMember>`;
    const schema = calculated().replace(PRICE, PRICE + member);
    expect(await cubes.reload(schema)).toMatchObject([{ line: lineOf(schema, '[Measures].[Unit]</Formula>') }]);
  });

  it.each([
    ['grants', '<MemberGrant member="[Place].[North].[Olso]" access="all"/>', 'is granted'],
    ['hides', '<MemberGrant member="[Place].[North].[Olso]" access="none"/>', 'is denied'],
  ])('with a role that %s a missing member reports its line', async (_, grant, message) => {
    const schema = granted(grant);
    const expected = {
      severity: 'warning',
      line: lineOf(schema, 'Olso'),
      message: expect.stringContaining(`The role "towns" ${message} the member [Place].[North].[Olso]`),
    };
    expect(await cubes.reload(schema)).toEqual([expected]);
    expect((await checkSchema(schema, { warehouse: warehouse.warehouse })).problems).toEqual([expected]);
    const offline = await checkSchema(schema, { warehouse: undefined });
    expect(offline).toMatchObject({ problems: [], notChecked: [expect.stringContaining('members')] });
  });

  it('with a grant of a missing measure reports it without data', async () => {
    const schema = TRADE_SCHEMA.replace(
      '<HierarchyGrant hierarchy="[Place]" access="none"/>',
      '\n<HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[Unit]" access="all"/></HierarchyGrant>',
    );
    const { problems } = await checkSchema(schema, { warehouse: undefined });
    const line = lineOf(schema, '[Measures].[Unit]"');
    expect(problems).toMatchObject([{ line }, { line, message: expect.stringContaining('sees no figure') }]);
  });

  describe('with texts that are not MDX', () => {
    const broken = calculated('[Measures].[Units] * 2', '[Measures].[Units] * ', '[Measures].[Units] + 1')
      .replace(
        '<CalculatedMember name="F0"',
        [
          '<CalculatedMember name="Styled" dimension="Measures" formula="1">',
          '<CalculatedMemberProperty name="FORMAT_STRING" expression="IIf(1 ="/>',
          '</CalculatedMember>',
          '<CalculatedMember name="F0"',
        ].join('\n'),
      )
      .replace(
        '</Cube>',
        '<NamedSet name="Wrong" formula="{[Place].["/>\n<NamedSet name="Right" formula="{[Place].[North]}"/>\n</Cube>',
      );
    const expected = (severity: string) => [
      {
        severity,
        line: lineOf(broken, 'IIf(1 ='),
        message: expect.stringMatching(/FORMAT_STRING of .*Styled is not MDX/),
      },
      { severity, line: lineOf(broken, 'name="F1"'), message: expect.stringMatching(/F1 is not MDX/) },
      { severity, line: lineOf(broken, 'name="Wrong"'), message: expect.stringMatching(/named set Wrong is not MDX/) },
    ];

    it('reports each with its line and serves the rest', async () => {
      expect(await cubes.reload(broken)).toEqual(expected('warning'));
      expect((await checkSchema(broken, { warehouse: undefined })).problems).toEqual(expected('error'));
      expect((await checkSchema(broken, { warehouse: warehouse.warehouse })).problems).toEqual(expected('error'));
      const ask = (name: string) =>
        cubes.call('POST /query', { cube: CUBE, measures: [{ name }] }, scope('everything'));
      const [units, twice, more] = [await ask('Units'), await ask('F0'), await ask('F2')].map(
        ({ body }) => Object.values<{ value: number }>(body.data[0])[0]?.value ?? 0,
      );
      expect([twice, more]).toEqual([(units ?? 0) * 2, (units ?? 0) + 1]);
      for (const name of ['F1', 'Styled']) {
        const { status, body } = await ask(name);
        expect({ status, field: body.field }).toEqual({ status: 400, field: 'measures[0].name' });
        expect(body.available).not.toContain(name);
      }
    });

    it('does not change roles: a hidden measure stays hidden, and the others are visible', async () => {
      const schema = broken.replace(
        '<HierarchyGrant hierarchy="[Place]" access="none"/>',
        '<HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[F1]" access="none"/><MemberGrant member="[Measures].[Amount]" access="none"/></HierarchyGrant>',
      );
      expect(schema).not.toBe(broken);
      expect(await cubes.reload(schema)).toHaveLength(3);
      const ask = (name: string) => cubes.call('POST /query', { cube: CUBE, measures: [{ name }] }, scope('no place'));
      expect((await ask('Units')).status).toBe(200);
      for (const name of ['Amount', 'F1']) expect((await ask(name)).status).toBe(400);
    });
  });

  it('with a missing table still reports a grant and a formula that do not depend on it', async () => {
    const schema = calculated('[Measures].[Nothing] + 1')
      .replace(
        '<MemberGrant member="[Place].[North].[Oslo]" access="all"/>',
        '<MemberGrant member="[Place].[North].[Olso]" access="all"/>',
      )
      .replace(
        '</Schema>',
        '<Cube name="Other"><Table name="absent"/><Dimension name="Kind"><Hierarchy hasAll="true"><Level name="Kind" column="kind"/></Hierarchy></Dimension><Measure name="Many" column="many" aggregator="sum"/><CalculatedMember name="One" dimension="Measures" formula="([Measures].[Many], [Kind].[a])"/></Cube></Schema>',
      );
    // The reader returns roles after the cubes.
    const ordered = schema.replace(/(<Role[\s\S]*<\/Role>)([\s\S]*)(<Cube name="Other">[\s\S]*<\/Cube>)/, '$3$1$2');
    const grant = { line: lineOf(ordered, 'Olso'), message: expect.stringContaining('[Olso]') };
    const formula = { line: lineOf(ordered, 'Nothing'), message: expect.stringContaining('Nothing') };
    const table = { message: expect.stringContaining('no table absent') };
    const { problems } = await checkSchema(ordered, { warehouse: warehouse.warehouse });
    expect(problems).toEqual([table, formula, grant].map((problem) => expect.objectContaining(problem)));
    expect(await cubes.reload(ordered)).toEqual(problems);
  });
});
