import { usage } from '../compile/usage.ts';
import { ALL_FUNCTIONS } from './all-functions.ts';

/** Functions of the standard, or of servers that implement it, that this engine does not have. */
const MISSING: readonly string[] = [
  'CalculationCurrentPass',
  'CalculationPassValue',
  'Call',
  'CustomData',
  'Filter with subcube',
  'KPICurrentTimeMember',
  'KPIGoal',
  'KPIStatus',
  'KPITrend',
  'KPIValue',
  'KPIWeight',
  'LastPeriods of sets',
  'Leaves',
  'LookupCube',
  'Predict',
  'RollupChildren',
  'Scope',
  'SetToArray',
  'StripCalculatedMembers of tuples',
  'This',
  'Update',
];

/** Returns the table of `docs/reference/mdx.md`: every form of a call, and whether the engine supports it. */
export function functionDocumentation(): string {
  const done = ALL_FUNCTIONS.map(
    (definition) => `| \`${usage(definition).replaceAll('|', '\\|')}\` | done | ${definition.description} |`,
  );
  const missing = MISSING.map((name) => `| \`${name}\` | not done | |`);
  return ['| function | state | returns |', '| --- | --- | --- |', ...new Set(done.toSorted()), ...missing].join('\n');
}
