/**
 * Writes the closed lists that the element shares with the server into the element, which imports nothing of ours.
 *
 *   npx tsx scripts/element-lists.ts           writes them
 *   npx tsx scripts/element-lists.ts --check   fails when they are not up to date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Narrowing } from '../router/capabilities/query-source.ts';
import { CHART_MODES } from '../router/chart-modes.ts';

/** Whether an operator compares with values. */
const OPERATOR_HAS_VALUES: Readonly<Record<Narrowing['op'], boolean>> = {
  EQ: true,
  NEQ: true,
  LT: true,
  LTE: true,
  GT: true,
  GTE: true,
  IN: true,
  BETWEEN: true,
  IS_NULL: false,
  IS_NOT_NULL: false,
};

const FILE = 'element/src/generated/closed-lists.ts';
const operators = Object.entries(OPERATOR_HAS_VALUES).map(([name, hasValues]) => `  ${name}: ${hasValues},`);
const text = `// Written by \`npx tsx scripts/element-lists.ts\` from the lists of the server; do not edit.

/** Lists the chart modes. */
export const CHART_MODES = [${CHART_MODES.map((mode) => `'${mode}'`).join(', ')}] as const;

/** Lists the operators of a filter, each with whether it compares with values. */
export const FILTER_OPERATORS = {
${operators.join('\n')}
} as const;
`;

if (process.argv.includes('--check')) {
  if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is not up to date: run npx tsx scripts/element-lists.ts`);
    process.exit(1);
  }
} else writeFileSync(FILE, text);
