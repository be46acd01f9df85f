/** What a reader sees of going down an answer: the ways further down, and the steps so far. */
import type { Drill, Drilling } from '../../../router/capabilities/drilling.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import { ValidationError } from '../../../router/errors.ts';
import { type Engine, prepare } from '../prepare.ts';
import { labellerFor } from '../query/answer/grain-labels.ts';
import { labelOfGroup } from '../query/answer/shape.ts';
import type { PlannedGroup } from '../query/nodes/plan.ts';
import { type DrilledRequest, drillable, neededBy, requestBelow } from '../query/request/drill-down.ts';
import { dimensionsOf } from '../query/request/runtime-filters.ts';
import type { SemanticQueryRequest } from '../schemas.ts';

/** Describes the ways down from an answer and the steps to it. A way that the caller's model does not allow is none. */
export async function drillingOf(
  { request, before }: DrilledRequest,
  { down, steps }: Drill,
  {
    scope,
    engine,
    signal,
  }: { readonly scope: Scope; readonly engine: Engine; readonly signal: AbortSignal | undefined },
): Promise<Drilling> {
  const groupOf = async (asked: SemanticQueryRequest, place: number): Promise<PlannedGroup | undefined> =>
    (await prepare(asked, scope, engine, { signal })).compiled.plan.groups[place];
  const ways = drillable(request, down).map(async (field) => {
    const below = requestBelow(request, field, down);
    const group = below && (await unlessUnfit(() => groupOf(below, dimensionsOf(request).indexOf(field))));
    return group === undefined ? [] : [{ field, label: labelOfGroup(group), by: neededBy(request, field, down) }];
  });
  const trail = steps.map(async ({ field, values }, step) => {
    const asked = before[step];
    const group = asked && (await groupOf(asked, dimensionsOf(asked).indexOf(field)));
    const value = values[field] ?? null;
    const text = group?.grain === undefined ? value : labellerFor(group.grain)(cellOf(value));
    return { label: group === undefined ? field : labelOfGroup(group), text };
  });
  return { down: (await Promise.all(ways)).flat(), trail: await Promise.all(trail), rows: true };
}

/** Returns a value as a cell of a grain: parts of dates are numbers. */
function cellOf(value: string | null): string | number | null {
  return value !== null && /^\d{1,3}$/.test(value) ? Number(value) : value;
}

/** Returns undefined where the model has no such field, or cannot join it. */
async function unlessUnfit<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
