/** Dates of a table as a dimension of years, quarters, months and days. Pure. */
import type { ColumnView } from '../detect/columns.ts';
import { captionOf } from '../detect/names.ts';
import { isTemporal } from '../detect/type-family.ts';
import type { Dimension, Level } from '../proposal/schema.ts';

/** How the facts lead to the table of a dimension. */
export type DimensionPlace = Pick<Dimension, 'foreignKey' | 'tableSchema' | 'tableName' | 'primaryKey' | 'joins'>;

export function isDate({ family }: ColumnView): boolean {
  return isTemporal(family);
}

export function dateDimension(column: ColumnView, place: DimensionPlace, name: string): Dimension {
  const { joins = [] } = place;
  const part = (caption: string, datePart: Level['datePart'], type: Level['type'], uniqueMembers: boolean): Level => ({
    name: caption,
    column: column.name,
    type,
    uniqueMembers,
    datePart,
    ...(joins.length === 0 ? {} : { tableName: column.table.name }),
  });
  return {
    name,
    ...place,
    levels: [
      part('Year', 'year', 'Integer', true),
      part('Quarter', 'quarter', 'Integer', false),
      part('Month', 'month', 'Integer', false),
      part('Day', 'day', 'Date', true),
    ],
    reason: 'A date: years, quarters, months and days follow from it.',
  };
}

/** Returns the caption of a date's dimension. */
export function dateName({ name }: ColumnView): string {
  return captionOf(name);
}
