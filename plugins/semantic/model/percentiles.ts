/** Reads percentiles in expressions: every spelling becomes one form that each engine can compute. */
import type { Percentile } from '../../../router/capabilities/dialect.ts';
import { isRecord } from '../../../router/record.ts';
import type { Aggregation } from './aggregations.ts';
import { ExpressionError, isPresent, kindOf, numberOf } from './parser-nodes.ts';

/** A percentile in an expression; `ordered` and `filter` are nodes of the parser. */
export interface RequestedPercentile {
  readonly aggregation: Aggregation;
  readonly ordered: unknown;
  readonly filter: unknown;
  readonly percentile: Percentile;
}

/** Spellings, and whether they interpolate. Approximate functions are computed exactly. */
const INTERPOLATES: Readonly<Record<string, boolean>> = {
  PERCENTILE_CONT: true,
  QUANTILE_CONT: true,
  PERCENTILE: true,
  APPROX_PERCENTILE: true,
  PERCENTILE_APPROX: true,
  APPROX_QUANTILE: true,
  PERCENTILE_DISC: false,
  QUANTILE_DISC: false,
  QUANTILE: false,
};

/** The most decimals of a fraction. With these, places in groups of a billion rows still fit whole numbers of 64 bits. */
const MAX_DECIMALS = 9;

/**
 * Reads a node as a percentile; `undefined` for any other node.
 *
 * @throws ExpressionError for a percentile without a number from 0 to 1
 */
export function percentileOf(node: unknown): RequestedPercentile | undefined {
  const kind = kindOf(node);
  const content = isRecord(node) && kind !== undefined ? node[kind] : undefined;
  if (kind === undefined || !isRecord(content)) return undefined;
  if (kind === 'filter') {
    const inner = percentileOf(content.this);
    return inner === undefined ? undefined : { ...inner, filter: content.expression };
  }
  if (kind === 'median' && content.distinct !== true) {
    const percentile = { numerator: 1, denominator: 2, isInterpolated: true, isDescending: false };
    return { aggregation: 'median', ordered: content.this, filter: content.filter, percentile };
  }
  if (kind === 'within_group') {
    const call = callOf(content.this);
    const [item, more] = Array.isArray(content.order_by) ? content.order_by : [];
    if (call === undefined || !isRecord(item)) return undefined;
    const [fraction] = call.args;
    if (more !== undefined) throw new ExpressionError('orders a percentile by more than one value');
    return percentileAt(call.isInterpolated, item.this, fraction, {
      filter: call.filter,
      isDescending: item.desc === true,
    });
  }
  const call = callOf(node);
  if (call === undefined || call.args.length < 2) return undefined;
  const [ordered, fraction] = call.args;
  return percentileAt(call.isInterpolated, ordered, fraction, { filter: call.filter, isDescending: false });
}

/** Returns the name and the arguments of a call, in any form in which the parser has them. */
function callOf(node: unknown) {
  const kind = kindOf(node);
  const content = isRecord(node) && kind !== undefined ? node[kind] : undefined;
  if (kind === undefined || !isRecord(content) || content.distinct === true) return undefined;
  const name = String(typeof content.name === 'string' ? content.name : kind).toUpperCase();
  const isInterpolated = Object.hasOwn(INTERPOLATES, name) ? INTERPOLATES[name] : undefined;
  if (isInterpolated === undefined) return undefined;
  const args: readonly unknown[] = Array.isArray(content.args)
    ? content.args
    : [content.this, content.percentile ?? content.quantile ?? content.expression].filter(isPresent);
  return { isInterpolated, args, filter: content.filter };
}

function percentileAt(
  isInterpolated: boolean,
  ordered: unknown,
  fraction: unknown,
  { filter, isDescending }: { readonly filter: unknown; readonly isDescending: boolean },
): RequestedPercentile {
  const number = numberOf(fraction);
  if (number === undefined || !(number >= 0 && number <= 1)) {
    throw new ExpressionError('takes a percentile at something that is no number from 0 to 1');
  }
  const denominator = 10 ** MAX_DECIMALS;
  const numerator = Math.round(number * denominator);
  const common = greatestCommonDivisor(numerator, denominator);
  const percentile = {
    numerator: numerator / common,
    denominator: denominator / common,
    isInterpolated,
    isDescending,
  };
  return { aggregation: 'percentile', ordered, filter, percentile };
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
