import type { FunctionDefinition } from './define.ts';
import { ALL_FUNCTIONS } from './registry.ts';

/** Functions of the standard (and of the servers that speak it) that this engine does not have. */
const MISSING: readonly string[] = [
  'CalculationCurrentPass',
  'CalculationPassValue',
  'Call',
  'CustomData',
  'DrilldownMemberBottom',
  'DrilldownMemberTop',
  'Filter with subcube',
  'KPICurrentTimeMember',
  'KPIGoal',
  'KPIStatus',
  'KPITrend',
  'KPIValue',
  'KPIWeight',
  'LastPeriods of sets',
  'Leaves',
  'LinkMember',
  'LookupCube',
  'MeasureGroupMeasures',
  'MemberValue',
  'NameToSet',
  'Predict',
  'RollupChildren',
  'Scope',
  'SetToArray',
  'StripCalculatedMembers of tuples',
  'This',
  'UserName',
  'Update',
];

function usage({ name, syntax, signature }: FunctionDefinition): string {
  const kinds = signature === '' ? [] : signature.split(' ').map((kind) => kind.replaceAll('|', ' or '));
  const [first = '', ...rest] = kinds;
  switch (syntax) {
    case 'function':
      return `${name}(${kinds.join(', ')})`;
    case 'method':
      return `${first}.${name}(${rest.join(', ')})`;
    case 'property':
      return `${first}.${name}`;
    case 'infix':
      return `${first} ${name} ${rest.join(' ')}`;
    case 'prefix':
      return `${name} ${first}`;
    case 'postfix':
      return `${first} ${name}`;
    case 'braces':
    case 'parentheses':
      return kinds.join(', ');
  }
}

/** The table in `docs/mdx.md`: what can be written, and whether it is done. */
export function functionTable(): string {
  const done = ALL_FUNCTIONS.map(
    (definition) => `| \`${usage(definition).replaceAll('|', '\\|')}\` | done | ${definition.description} |`,
  );
  const missing = MISSING.map((name) => `| \`${name}\` | not done | |`);
  return ['| function | state | what it yields |', '| --- | --- | --- |', ...new Set(done.toSorted()), ...missing].join(
    '\n',
  );
}
