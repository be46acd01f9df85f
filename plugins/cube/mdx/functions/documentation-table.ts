import { usage } from '../compile/usage.ts';
import { ALL_FUNCTIONS } from './registry.ts';

/** Functions of the standard (and of the servers that speak it) that this engine does not have. */
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

/** Returns the table in `docs/reference/mdx.md`: what can be written, and whether it is done. */
export function functionDocumentation(): string {
  const done = ALL_FUNCTIONS.map(
    (definition) => `| \`${usage(definition).replaceAll('|', '\\|')}\` | done | ${definition.description} |`,
  );
  const missing = MISSING.map((name) => `| \`${name}\` | not done | |`);
  return ['| function | state | what it yields |', '| --- | --- | --- |', ...new Set(done.toSorted()), ...missing].join(
    '\n',
  );
}
