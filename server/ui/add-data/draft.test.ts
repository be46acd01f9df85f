import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { carryOver } from './carry-over.ts';
import { chooseUse, listColumnUses, listPossibleUses } from './column-uses.ts';
import { changeDimension, changeMeasure, parseDraft, parseLeftOut, replaceCube, toProposal } from './draft.ts';
import { findDraftProblems } from './draft-problems.ts';

const PROPOSAL = {
  schemaName: 'shop',
  cubes: [
    {
      name: 'Orders',
      factTableSchema: 'main',
      factTableName: 'orders',
      personal: [{ tableSchema: 'main', tableName: 'customers', column: 'email' }],
      measures: [
        { name: 'Amount', column: 'amount', aggregator: 'sum', format: '#,##0.00', reason: 'An amount of money.' },
        { name: 'Row Count', column: 'id', aggregator: 'count' },
      ],
      dimensions: [
        {
          name: 'Placed',
          foreignKey: '',
          tableSchema: 'main',
          tableName: 'orders',
          primaryKey: '',
          levels: [{ name: 'Month', column: 'placed', type: 'Integer', uniqueMembers: false, datePart: 'month' }],
        },
      ],
    },
  ],
};

/** The cubes of a proposal as they are sent. */
function readCubes(proposal: ReturnType<typeof toProposal>) {
  const Cube = z.object({
    measures: z.array(z.looseObject({})),
    dimensions: z.array(z.looseObject({})),
    personal: z.array(z.looseObject({})).optional(),
    attributes: z.array(z.looseObject({})).optional(),
  });
  return z.array(Cube).parse(proposal.cubes);
}

function createDraft() {
  const draft = parseDraft(PROPOSAL);
  const [cube] = draft.cubes;
  if (cube === undefined) throw new Error('no cube');
  return { draft, cube };
}

describe('a draft', () => {
  test('that is unchanged is sent unchanged', () => {
    expect(toProposal(parseDraft(PROPOSAL))).toEqual(PROPOSAL);
  });

  test('sends the kept suggestions, with their new names and aggregators', () => {
    const { draft, cube } = createDraft();
    const renamed = changeMeasure(changeMeasure(cube, 0, { name: ' Turnover ', aggregator: 'max' }), 1, {
      isKept: false,
    });
    const sent = toProposal(replaceCube(draft, 0, changeDimension(renamed, 0, { isKept: false })));
    expect(sent).toEqual({
      ...PROPOSAL,
      cubes: [
        {
          ...PROPOSAL.cubes[0],
          measures: [{ ...PROPOSAL.cubes[0]?.measures[0], name: 'Turnover', aggregator: 'max' }],
          dimensions: [],
        },
      ],
    });
    expect(toProposal(draft)).toEqual(PROPOSAL);
  });

  test.each([
    ['no measure', { isKept: false }, { isKept: false }, ['Orders: keep at least one measure.']],
    ['two of one name', { name: 'row count ' }, {}, ['Orders: two measures have the name “Row Count”.']],
    ['a name that is empty', { name: '  ' }, {}, ['Orders: a measure has no name.']],
    ['two of one name, one of them left out', { name: 'Row Count' }, { isKept: false }, []],
  ])('with %s is reported', (_, first, second, problems) => {
    const { draft, cube } = createDraft();
    const other = changeMeasure(changeMeasure(cube, 0, first), 1, second);
    expect(findDraftProblems(replaceCube(draft, 0, other))).toEqual(problems);
  });

  test('that is proposed again keeps the changes of the user', () => {
    const { draft, cube } = createDraft();
    const changed = changeDimension(
      changeMeasure(changeMeasure(cube, 0, { name: 'Turnover', aggregator: 'max' }), 1, { isKept: false }),
      0,
      { name: 'Day' },
    );
    const again = carryOver(replaceCube(draft, 0, changed), parseDraft(PROPOSAL));
    expect(toProposal(again)).toEqual(toProposal(replaceCube(draft, 0, changed)));
    const otherFact = parseDraft({ ...PROPOSAL, cubes: [{ ...PROPOSAL.cubes[0], factTableName: 'sales' }] });
    expect(carryOver(replaceCube(draft, 0, changed), otherFact)).toEqual(otherFact);
  });

  test('lists what each column is used for', () => {
    const attributes = [{ tableSchema: 'main', tableName: 'orders', column: 'note' }];
    const uses = (isKept: boolean) => {
      const draft = parseDraft({ ...PROPOSAL, cubes: [{ ...PROPOSAL.cubes[0], attributes }] });
      const [cube] = draft.cubes;
      if (cube === undefined) throw new Error('no cube');
      return Object.fromEntries(listColumnUses(replaceCube(draft, 0, changeDimension(cube, 0, { isKept }))));
    };
    expect(uses(true)).toEqual({
      'customers.email': 'personal',
      'orders.amount': 'measure',
      'orders.placed': 'dimension',
      'orders.note': 'attribute',
    });
    expect(uses(false)).toEqual({
      'customers.email': 'personal',
      'orders.amount': 'measure',
      'orders.note': 'attribute',
    });
  });

  describe('in which the user chooses another use of a column', () => {
    const at = (column: string, type = 'VARCHAR') => ({ table: 'orders', column, type });
    const cubeOf = (...choices: Parameters<typeof chooseUse>[1][]) => {
      const [sent] = readCubes(toProposal(choices.reduce(chooseUse, parseDraft(PROPOSAL))));
      return sent;
    };

    test('marks it as personal, and removes it from measures, levels and attributes', () => {
      const sent = cubeOf({ ...at('placed'), use: 'personal' });
      expect(sent?.dimensions).toEqual([]);
      expect(sent?.personal).toEqual([
        { tableSchema: 'main', tableName: 'customers', column: 'email' },
        { tableSchema: 'main', tableName: 'orders', column: 'placed' },
      ]);
    });

    test('averages a number that is not added up, and adds it up again', () => {
      const averaged = { ...at('amount', 'DECIMAL(12,2)'), use: 'average' } as const;
      expect(cubeOf(averaged)?.measures[0]).toMatchObject({ name: 'Amount', aggregator: 'avg' });
      expect(cubeOf(averaged, { ...averaged, use: 'measure' })?.measures[0]).toEqual(PROPOSAL.cubes[0]?.measures[0]);
    });

    test('makes a dimension of a column that is none, and restores one that was left out', () => {
      expect(cubeOf({ ...at('sales_channel'), use: 'dimension' })?.dimensions[1]).toEqual({
        name: 'Sales channel',
        foreignKey: '',
        tableSchema: 'main',
        tableName: 'orders',
        primaryKey: '',
        levels: [{ name: 'Sales channel', column: 'sales_channel', type: 'String', uniqueMembers: true }],
      });
      const left = { ...at('placed', 'DATE'), use: 'none' } as const;
      expect(cubeOf(left)?.dimensions).toEqual([]);
      expect(cubeOf(left, { ...left, use: 'dimension' })?.dimensions).toEqual(PROPOSAL.cubes[0]?.dimensions);
    });

    test('keeps it as an attribute only, with its time', () => {
      expect(cubeOf({ ...at('placed', 'DATE'), use: 'attribute' })?.attributes).toEqual([
        { tableSchema: 'main', tableName: 'orders', column: 'placed', isTime: true },
      ]);
    });

    test('keeps the choice when the files are read again', () => {
      const draft = chooseUse(parseDraft(PROPOSAL), { ...at('placed', 'DATE'), use: 'personal' });
      expect(toProposal(carryOver(draft, parseDraft(PROPOSAL)))).toEqual(toProposal(draft));
    });

    test('offers measures for numbers of facts alone, and nothing for tables in no cube', () => {
      const draft = parseDraft(PROPOSAL);
      expect(listPossibleUses(draft, at('amount', 'DOUBLE')).slice(0, 2)).toEqual(['measure', 'average']);
      expect(listPossibleUses(draft, at('note'))).toEqual(['dimension', 'attribute', 'personal', 'none']);
      expect(listPossibleUses(draft, { ...at('name'), table: 'countries' })).toEqual([]);
    });
  });

  test('without a cube is reported', () => {
    const { draft, cube } = createDraft();
    expect(findDraftProblems(replaceCube(draft, 0, { ...cube, isKept: false }))).toEqual(['Keep at least one cube.']);
  });
});

test('columns that are left out have their reasons, personal data first', () => {
  const at = { table: 'customers', column: 'email' };
  const reasons = parseLeftOut({
    unusedColumns: [{ ...at, reason: 'It has no values.' }],
    personalData: [{ ...at, reason: 'The name says so.' }],
  });
  expect([...reasons]).toEqual([['customers.email', 'Personal data: the name says so.']]);
  expect(parseLeftOut(undefined).size).toBe(0);
});
