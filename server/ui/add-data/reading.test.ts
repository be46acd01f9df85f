import { expect, test } from 'vitest';
import { READING_FINDINGS } from '../../../router/capabilities/file-import.ts';
import { addChoices, isChosen, parseReading } from './reading.ts';

test('a choice for a table is added to its others', () => {
  const first = addChoices({}, 'sales', { columns: [{ name: 'amount', emptyValues: ['k.A.'] }] });
  const second = addChoices(first, 'sales', { duplicates: 'drop', columns: [{ name: 'day', shortYears: 'empty' }] });
  expect(addChoices(second, 'shops', { headerRow: 3 })).toEqual({
    sales: {
      duplicates: 'drop',
      columns: [
        { name: 'amount', emptyValues: ['k.A.'] },
        { name: 'day', shortYears: 'empty' },
      ],
    },
    shops: { headerRow: 3 },
  });
});

test('choices for one column are combined, and "text" takes the place of all of them', () => {
  const first = addChoices({}, 't', { columns: [{ name: 'amount', emptyValues: ['-'] }] });
  const both = addChoices(first, 't', { columns: [{ name: 'amount', splitUnit: true }] });
  expect(both.t?.columns).toEqual([{ name: 'amount', emptyValues: ['-'], splitUnit: true }]);
  const text = addChoices(both, 't', { columns: [{ name: 'amount', readAs: 'text' }] });
  expect(text.t?.columns).toEqual([{ name: 'amount', readAs: 'text' }]);
  expect(addChoices(text, 't', { columns: [{ name: 'amount', readAs: 'number' }] }).t?.columns).toEqual([
    { name: 'amount', readAs: 'number' },
  ]);
});

test('every kind of finding of the server is understood', () => {
  const findings = READING_FINDINGS.map((kind) => ({ kind, count: 1, of: 2, message: kind, repairs: [] }));
  expect(parseReading({ file: 'a.csv', findings }, 'a').findings.map(({ kind, table }) => [kind, table])).toEqual(
    READING_FINDINGS.map((kind) => [kind, 'a']),
  );
});

test('a repair is chosen once all of its choices are made', () => {
  const repair = { columns: [{ name: 'amount', emptyValues: ['k.A.'] }] };
  const chosen = addChoices(addChoices({}, 'sales', repair), 'sales', { firstOfEach: 'id' });
  expect(isChosen(chosen, 'sales', repair)).toBe(true);
  expect(isChosen(chosen, 'sales', { firstOfEach: 'id' })).toBe(true);
  expect(isChosen(chosen, 'sales', { firstOfEach: 'number' })).toBe(false);
  expect(isChosen(chosen, 'shops', repair)).toBe(false);
  expect(isChosen(chosen, 'sales', { columns: [{ name: 'amount', readAs: 'text' }] })).toBe(false);
});
