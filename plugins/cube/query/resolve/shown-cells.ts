import type { ShownCells } from '../../mdx/index.ts';
import { lastShown, type ResolvedQuery } from './resolved-query.ts';

/** Returns the levels and measures of the cells that a query shows or filters by. */
export function shownCells({ cube, rows, columns, slicer, measures, order }: ResolvedQuery): ShownCells {
  const axes = [...rows, ...columns];
  const levels = [
    ...axes.map((selection) => lastShown(selection).level),
    ...[...axes, ...slicer].flatMap(({ conditions }) => conditions.map(({ level }) => level)),
  ];
  const shownMeasures = [...measures, ...order.map(({ measure }) => measure)];
  return { cube, levels: levels.map(({ uniqueName }) => uniqueName), measures: shownMeasures.map(({ name }) => name) };
}
