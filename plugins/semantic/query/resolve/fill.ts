/** Resolves the `fill` of a request: the date in rows with periods that are answered even without facts. */
import { isGrainOf } from '../../../../router/date-grains.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { ProblemList } from '../../../query-surface/index.ts';
import type { RowItem } from '../../schemas.ts';
import { isSameDate } from '../nodes/date-range.ts';
import { fieldKey } from '../nodes/field-key.ts';
import type { ResolvedFill, ResolvedGroup, ResolvedQuery } from '../nodes/resolved-query.ts';

/** Finds the row that is filled. A row without periods is a problem, and so is a second filled row. */
export function fillOf(
  items: readonly RowItem[],
  rows: readonly ResolvedGroup[],
  columns: readonly ResolvedGroup[],
  path: RequestPath,
  problems: ProblemList,
): ResolvedFill | undefined {
  let fill: ResolvedFill | undefined;
  for (const [index, item] of items.entries()) {
    if (item.fill === undefined || item.fill === false) continue;
    const at = [...path, index, 'fill'];
    const row = rows.findIndex((group) => group.path.at(-1) === index);
    const group = rows[row];
    if (group === undefined) continue;
    const grain = group.grain?.name;
    const moment = [...rows, ...columns].find((one) => isMoment(one) && isSameDate(one, group));
    if (grain === undefined || isGrainOf(grain, 'part')) {
      problems.add(at, `${fieldKey(group)} has no periods to fill: name a date with a grain such as month.`);
    } else if (moment !== undefined) {
      problems.add(
        at,
        `${fieldKey(moment)} beside it has any moment of its periods: name it with a grain such as hour.`,
      );
    } else if (fill !== undefined) problems.add(at, 'One date of the rows is filled, not two.');
    else fill = { path: at, row, zero: item.fill === 'zero' };
  }
  return fill;
}

/** Returns whether a group has moments, and not days or other periods. */
function isMoment({ grain, field }: ResolvedGroup): boolean {
  return grain === undefined && field.type !== 'date';
}

/** Refuses to fill a request that does not show every period in order. */
export function refuseFillOfFew({ fill, having, sorts }: ResolvedQuery, problems: ProblemList): void {
  if (fill === undefined) return;
  if (having.length > 0) {
    problems.add(
      fill.path,
      'A filter by a metric leaves periods out that filling would bring back as empty; ask for one of them.',
    );
  } else if (sorts.some(({ by }) => by === 'value')) {
    problems.add(fill.path, 'Periods are filled in their order, and not sorted by a metric.');
  }
}
