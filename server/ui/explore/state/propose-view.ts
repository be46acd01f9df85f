/** Proposes how an answer is shown, from its columns and its length. The element then chooses the kind of chart itself. */
import { isMomentType } from '../../../../router/date-grains.ts';
import type { Draft, RenderName } from './draft.ts';
import { type Item, isJsonObject, type JsonObject, textOf } from './json-value.ts';

/** Number of categories that bars can show; longer answers are tables. */
const MAX_BARS = 40;

export interface Shape {
  readonly columns: readonly {
    readonly key: string;
    readonly type: 'dimension' | 'metric';
    readonly dataType: string;
    readonly grain: string | undefined;
  }[];
  readonly rows: number;
}

/** Returns the proposed view. */
export function proposeRender({ columns, rows }: Shape, draft: Draft): RenderName {
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  const metrics = columns.length - dimensions.length;
  if (metrics === 0 || rows === 0) return 'table';
  if (dimensions.length === 0) return draft.values.length === 1 ? 'kpi' : 'table';
  if (rows === 1) return 'table';
  const hasDate = dimensions.some(isTime);
  if (draft.columns.length > 0 && !hasDate) return 'matrix';
  if (dimensions.length === 1) return hasDate || rows <= MAX_BARS ? 'chart' : 'table';
  if (dimensions.length === 2) return hasDate ? 'chart' : draft.columns.length > 0 ? 'matrix' : 'table';
  return draft.columns.length > 0 ? 'matrix' : 'table';
}

function isTime({ dataType, grain }: Shape['columns'][number]): boolean {
  if (grain !== undefined) return !grain.includes('_of_');
  return isMomentType(dataType);
}

/** Returns the key of the time axis, along which an analysis can go; undefined where the answer has none. */
export function timeAxisOf(
  { columns }: Pick<Shape, 'columns'>,
  isTimeItem: (position: number) => boolean,
): string | undefined {
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  return dimensions.find((column, position) => isTime(column) || isTimeItem(position))?.key;
}

/**
 * Returns the settings of the chart: the chosen ones over the proposed. A comparison is drawn as value and base. Bars without a chosen
 * order begin with the largest; times follow the calendar.
 *
 * @param hasTime whether the answer shows a time: a date, or a level of time, whose members the element sees as texts
 */
export function chartSettings({ view, rows, columns, values, sorts, source }: Draft, hasTime: boolean): JsonObject {
  const isLine = source.surface === 'cube' && hasTime && rows.length + columns.length === 1;
  const compared = values.filter((value) => isJsonObject(value.compare));
  const metrics = values.flatMap((value: Item) => {
    const key = textOf(value, 'metric') ?? '';
    return isJsonObject(value.compare) ? [key, `${key}.base`] : [key];
  });
  return {
    ...(view.mode === undefined ? { kind: isLine ? 'line' : 'auto' } : {}),
    ...(view.mode === undefined && !hasTime && sorts.length === 0 ? { sort: 'descending' } : {}),
    ...(source.surface === 'semantic' && compared.length > 0 ? { metrics } : {}),
    ...view.chart,
  };
}
