/**
 * Writes the closed lists that the element shares with the server into the element, which imports nothing of ours.
 *
 *   npx tsx scripts/element-lists.ts           writes them
 *   npx tsx scripts/element-lists.ts --check   fails when they are not up to date
 */
import { CHART_MODES } from '../router/chart-modes.ts';
import { FILTER_OPERATORS } from '../router/filter-operators.ts';
import { TILE_KINDS } from '../router/tile-kinds.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'element/src/generated/closed-lists.ts';
const operators = Object.entries(FILTER_OPERATORS).map(([name, { arity }]) => `  ${name}: ${arity !== 'none'},`);
const text = `// Written by \`npx tsx scripts/element-lists.ts\` from the lists of the server; do not edit.

/** Lists the chart modes. */
export const CHART_MODES = [${CHART_MODES.map((mode) => `'${mode}'`).join(', ')}] as const;

/** Lists the kinds of dashboard tiles. */
export const TILE_KINDS = [${TILE_KINDS.map((kind) => `'${kind}'`).join(', ')}] as const;

/** Lists the operators of a filter, each with whether it compares with values. */
export const FILTER_OPERATORS = {
${operators.join('\n')}
} as const;
`;

writeOrCheck(FILE, text, 'npx tsx scripts/element-lists.ts');
