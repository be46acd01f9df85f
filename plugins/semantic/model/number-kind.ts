import { AGGREGATIONS, type Aggregation } from './aggregations.ts';
import type { BoundDataset } from './bound-dataset.ts';
import type { NumberKind } from './model.ts';
import type { Bound } from './template.ts';

/** Returns the kind of numbers of arithmetic on columns, aggregate calls and number literals. */
export function numberKind(expression: Bound, bound: readonly BoundDataset[]): NumberKind {
  const kinds = expression.map((part): NumberKind | 'neutral' => {
    if (typeof part === 'string') return textKind(part);
    if (part.kind === 'division') return 'fractional';
    if (part.kind === 'column') return columnKind(part.dataset, part.column, bound);
    if (part.percentile?.isInterpolated === false) return numberKind(part.call, bound);
    if (part.percentile !== undefined || part.scope?.taken?.take === 'average') return 'fractional';
    if (part.scope?.window?.take === 'average') return 'fractional';
    if (part.counts) return 'whole';
    const argument = part.argument === undefined ? undefined : numberKind(part.argument, bound);
    return resultKind(part.aggregation, argument);
  });
  if (kinds.includes(undefined)) return undefined;
  if (kinds.includes('fractional')) return 'fractional';
  return kinds.includes('whole') ? 'whole' : undefined;
}

/** Returns the kind of an aggregation's result, from the kind of its argument. */
export function resultKind(aggregation: Aggregation, argument: NumberKind): NumberKind {
  switch (AGGREGATIONS[aggregation].result) {
    case 'count':
      return 'whole';
    case 'fraction':
      return 'fractional';
    case 'total':
    case 'value':
      return argument;
    case 'unknown':
      return undefined;
  }
}

/** Functions that return one of their arguments, possibly with another sign. */
const KEEPING_FUNCTIONS = /\b(?:COALESCE|NULLIF|IFNULL|ABS)\b/gi;

/** Returns whether a part of an expression adds, subtracts, multiplies, or picks one of its operands. */
export function isArithmetic(text: string): boolean {
  return /^[\s(),+*\-\d.]*$/.test(text.replaceAll(KEEPING_FUNCTIONS, ''));
}

function textKind(text: string): NumberKind | 'neutral' {
  if (!isArithmetic(text)) return undefined;
  if (text.includes('.')) return 'fractional';
  return /\d/.test(text) ? 'whole' : 'neutral';
}

function columnKind(dataset: string, column: string, bound: readonly BoundDataset[]): NumberKind {
  const columns = bound.find(({ draft }) => draft.name === dataset)?.columns ?? [];
  const type = columns.find(({ name }) => name === column)?.type;
  if (type === 'integer') return 'whole';
  return type === 'decimal' || type === 'float' ? 'fractional' : undefined;
}
