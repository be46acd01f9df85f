import { functionTable } from '../compile/function-table.ts';
import type { FunctionDefinition, FunctionTable } from '../compile/scope.ts';
import { CONDITION_FUNCTIONS } from './conditions.ts';
import { COUNTING } from './counting.ts';
import { DATE_FUNCTIONS } from './current-date-member.ts';
import { CALENDAR_FUNCTIONS } from './date-values.ts';
import { DESCENDANTS } from './descendants.ts';
import { DRILL_FUNCTIONS } from './drill.ts';
import { EXISTS_FUNCTIONS } from './exists.ts';
import { FORMAT_FUNCTIONS } from './format-numbers.ts';
import { HIERARCHY_TESTS } from './hierarchy-places.ts';
import { MEMBER_FUNCTIONS } from './members.ts';
import { NAME_FUNCTIONS } from './names-and-properties.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { OPERATORS } from './operators.ts';
import { SORTING_FUNCTIONS } from './order-and-top.ts';
import { ORDER_KEY } from './order-key.ts';
import { PARAMETER_FUNCTIONS } from './query-parameters.ts';
import { REGRESSION } from './regression.ts';
import { SESSION_FUNCTIONS } from './session-and-lookup.ts';
import { SET_ALGEBRA } from './set-algebra.ts';
import { SET_PROPERTIES } from './set-properties.ts';
import { SET_SELECTION } from './set-selection.ts';
import { STATISTICS } from './statistics.ts';
import { TEXT_FUNCTIONS } from './texts.ts';
import { TIME_FUNCTIONS } from './time-periods.ts';
import { VALID_MEASURE } from './valid-measure.ts';
import { VISUAL_TOTALS } from './visual-totals.ts';

/** All functions of the engine. Each file is a family. */
export const ALL_FUNCTIONS: readonly FunctionDefinition[] = [
  ...OPERATORS,
  ...MEMBER_FUNCTIONS,
  VALID_MEASURE,
  ...SET_PROPERTIES,
  ...SET_ALGEBRA,
  ...SET_SELECTION,
  ...DESCENDANTS,
  ...DRILL_FUNCTIONS,
  ...SORTING_FUNCTIONS,
  ...ORDER_KEY,
  ...EXISTS_FUNCTIONS,
  ...HIERARCHY_TESTS,
  ...VISUAL_TOTALS,
  ...TIME_FUNCTIONS,
  ...STATISTICS,
  ...REGRESSION,
  ...COUNTING,
  ...NUMBER_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...CALENDAR_FUNCTIONS,
  ...CONDITION_FUNCTIONS,
  ...NAME_FUNCTIONS,
  ...FORMAT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...PARAMETER_FUNCTIONS,
  ...SESSION_FUNCTIONS,
];

/** The lookup table for compiling queries and formulas. */
export const FUNCTIONS: FunctionTable = functionTable(ALL_FUNCTIONS);
