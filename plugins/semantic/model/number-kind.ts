import type { BoundDataset } from './bound.ts';
import type { Aggregation, NumberKind } from './model.ts';
import type { Bound } from './template.ts';

const COUNTS: ReadonlySet<string> = new Set(['count', 'count_distinct']);
const KEEPS: ReadonlySet<string> = new Set(['sum', 'min', 'max']);
const MEANS: ReadonlySet<string> = new Set(['avg', 'median', 'stddev', 'stddev_pop', 'variance', 'variance_pop']);

/** Returns the kind of numbers of arithmetic on columns, aggregate calls and number literals. */
export function numberKind(expression: Bound, bound: readonly BoundDataset[]): NumberKind {
  const kinds = expression.map((part): NumberKind | 'neutral' => {
    if (typeof part === 'string') return textKind(part);
    if (part.kind === 'division') return 'fractional';
    if (part.kind === 'column') return columnKind(part.dataset, part.column, bound);
    if (part.percentile?.isInterpolated === false) return numberKind(part.call, bound);
    if (part.percentile !== undefined || part.scope?.taken?.take === 'average') return 'fractional';
    if (part.scope?.window?.take === 'average') return 'fractional';
    if (part.counts || COUNTS.has(part.aggregation)) return 'whole';
    if (MEANS.has(part.aggregation)) return 'fractional';
    return KEEPS.has(part.aggregation) && part.argument !== undefined ? numberKind(part.argument, bound) : undefined;
  });
  if (kinds.includes(undefined)) return undefined;
  if (kinds.includes('fractional')) return 'fractional';
  return kinds.includes('whole') ? 'whole' : undefined;
}

/** Returns the kind of numbers of a metric of these kinds when its outer call is replaced. */
export function overriddenKind(aggregation: Aggregation, argument: NumberKind): NumberKind {
  if (aggregation === 'COUNT') return 'whole';
  return aggregation === 'AVG' ? 'fractional' : argument;
}

/** Functions whose result is one of their arguments, but for its sign. */
const KEEPING_FUNCTIONS = /\b(?:COALESCE|NULLIF|IFNULL|ABS)\b/gi;

function textKind(text: string): NumberKind | 'neutral' {
  if (!/^[\s(),+*\-\d.]*$/.test(text.replaceAll(KEEPING_FUNCTIONS, ''))) return undefined;
  if (text.includes('.')) return 'fractional';
  return /\d/.test(text) ? 'whole' : 'neutral';
}

function columnKind(dataset: string, column: string, bound: readonly BoundDataset[]): NumberKind {
  const columns = bound.find(({ draft }) => draft.name === dataset)?.columns ?? [];
  const type = columns.find(({ name }) => name === column)?.type;
  if (type === 'integer') return 'whole';
  return type === 'decimal' || type === 'float' ? 'fractional' : undefined;
}
