import type { RuntimeFilter } from '../../router/capabilities/query-source.ts';
import type { FilterOperator } from '../../router/filter-operators.ts';

/** The member of a cube without a key or a name, as conditions name it. */
const NAME_OF_NULL = '#null';

/** Between a field and its values. */
const WORDS: Partial<Readonly<Record<FilterOperator, string>>> = {
  EQ: '=',
  IN: '=',
  NEQ: '≠',
  GT: '>',
  GTE: '≥',
  LT: '<',
  LTE: '≤',
  BETWEEN: 'from',
};

/** Writes conditions as a reader of a file needs them: `stores.region = North, South`. */
export function conditionsInWords(conditions: readonly RuntimeFilter[]): readonly string[] {
  return conditions.map(({ field, op, values }) => {
    const between = op === 'BETWEEN' ? ' to ' : ', ';
    const shown = values.map((value) => (value === NAME_OF_NULL ? '–' : value));
    return [field, WORDS[op] ?? op.toLowerCase().replaceAll('_', ' '), shown.join(between)].join(' ').trim();
  });
}
