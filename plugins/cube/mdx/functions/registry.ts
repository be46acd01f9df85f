import { functionTable } from '../compile/function-table.ts';
import type { FunctionDefinition, FunctionTable } from '../compile/scope.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import { DESCENDANTS } from './descendants.ts';
import { DRILL_FUNCTIONS } from './drill.ts';
import { EXISTS_FUNCTIONS } from './exists.ts';
import { FORMAT_FUNCTIONS } from './format.ts';
import { HIERARCHY_TESTS } from './hierarchy-tests.ts';
import { MEMBER_FUNCTIONS } from './members.ts';
import { NAME_FUNCTIONS } from './names.ts';
import { OPERATORS } from './operators.ts';
import { ORDER_KEY } from './order-key.ts';
import { PARAMETER_FUNCTIONS } from './parameters.ts';
import { SCALAR_FUNCTIONS } from './scalars.ts';
import { SESSION_FUNCTIONS } from './session.ts';
import { SET_PROPERTIES } from './set-properties.ts';
import { SET_FUNCTIONS } from './sets.ts';
import { SORTING_FUNCTIONS } from './sorting.ts';
import { STATISTICS } from './statistics.ts';
import { TIME_FUNCTIONS } from './time.ts';
import { VALID_MEASURE } from './valid-measure.ts';
import { VBA_FUNCTIONS } from './vba.ts';
import { VISUAL_TOTALS } from './visual-totals.ts';

/** Every function of the language that this engine knows; a family a file. */
export const ALL_FUNCTIONS: readonly FunctionDefinition[] = [
  ...OPERATORS,
  ...MEMBER_FUNCTIONS,
  VALID_MEASURE,
  ...SET_PROPERTIES,
  ...SET_FUNCTIONS,
  ...DESCENDANTS,
  ...DRILL_FUNCTIONS,
  ...SORTING_FUNCTIONS,
  ...ORDER_KEY,
  ...EXISTS_FUNCTIONS,
  ...HIERARCHY_TESTS,
  ...VISUAL_TOTALS,
  ...TIME_FUNCTIONS,
  ...STATISTICS,
  ...SCALAR_FUNCTIONS,
  ...NAME_FUNCTIONS,
  ...FORMAT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...PARAMETER_FUNCTIONS,
  ...VBA_FUNCTIONS,
  ...SESSION_FUNCTIONS,
];

/** The table that queries and formulas are compiled with. */
export const FUNCTIONS: FunctionTable = functionTable(ALL_FUNCTIONS);
