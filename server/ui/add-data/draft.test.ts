import { describe, expect, test } from 'vitest';
import {
  carryOver,
  changeDimension,
  changeMeasure,
  findDraftProblems,
  listColumnUses,
  parseDraft,
  parseLeftOut,
  replaceCube,
  toProposal,
} from './draft.ts';

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
      'orders.amount': 'Measure',
      'orders.placed': 'Dimension',
      'orders.note': 'Attribute',
    });
    expect(uses(false)).toEqual({ 'orders.amount': 'Measure', 'orders.note': 'Attribute' });
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
