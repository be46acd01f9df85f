import { z } from 'zod';
import type { SchemaProfile } from '../schemas.ts';
import { findUnit, junkReason, measureTrait } from './column-traits.ts';
import { findHierarchies } from './hierarchies.ts';
import { personalReason } from './personal-verdicts.ts';
import { type Detected, detect } from './tables-and-keys.ts';
import { isTemporal } from './type-family.ts';

const At = { table: z.string(), column: z.string() };

export const DetectorFindings = z
  .object({
    dateHierarchies: z.array(z.object({ ...At, levels: z.array(z.string()) })),
    foreignKeys: z.array(
      z.object({
        ...At,
        refTable: z.string(),
        refColumn: z.string(),
        coverage: z.number(),
        columns: z.array(z.string()).optional(),
        refColumns: z.array(z.string()).optional(),
        reason: z.string(),
      }),
    ),
    degenerateDimensions: z.array(z.object(At)),
    measures: z.array(z.object({ ...At, aggregator: z.string(), reason: z.string() })),
    hierarchies: z.array(z.object({ table: z.string(), levels: z.array(z.string()), reason: z.string() })),
    personalData: z.array(z.object({ ...At, reason: z.string() })),
    units: z.array(z.object({ ...At, unit: z.string() })),
    unusedColumns: z.array(z.object({ ...At, reason: z.string() })),
  })
  .meta({ id: 'DetectorFindings' });
export type DetectorFindings = z.infer<typeof DetectorFindings>;

/** Members of a degenerate dimension at most, as a share of the rows. */
const MAX_DEGENERATE_SHARE = 0.2;

/** Returns everything that the detectors find in a profile. */
export function detectAll(
  profile: Pick<SchemaProfile, 'tables' | 'references'>,
  { tables, keys }: Detected = detect(profile),
): DetectorFindings {
  const columns = tables.flatMap((table) => table.columns);
  const place = ({ table, name }: (typeof columns)[number]) => ({ table: table.name, column: name });
  const inKeys = new Set(keys.flatMap(({ from, to }) => [...from, ...to]));
  const isInKey = (column: (typeof columns)[number]): boolean => inKeys.has(column);
  const facts = new Set(keys.flatMap(({ from }) => from.map(({ table }) => table)));
  const referred = new Set(keys.flatMap(({ to }) => to.map(({ table }) => table)));
  return {
    dateHierarchies: [
      ...tables
        .flatMap(findHierarchies)
        .filter(({ kind }) => kind === 'calendar')
        .map(({ table, levels }) => ({
          table: table.name,
          column: levels.at(-1)?.name ?? '',
          levels: levels.map(({ name }) => name),
        })),
      ...columns
        .filter(
          (column) =>
            isTemporal(column.family) &&
            junkReason(column) === undefined &&
            personalReason(column) === undefined &&
            !isInKey(column),
        )
        .map((column) => ({
          ...place(column),
          levels: ['year', 'quarter', 'month', 'day'],
        })),
    ],
    foreignKeys: keys.map(({ from, to, coverage, reason }) => ({
      table: from[0]?.table.name ?? '',
      column: from[0]?.name ?? '',
      refTable: to[0]?.table.name ?? '',
      refColumn: to[0]?.name ?? '',
      coverage,
      ...(from.length === 1 ? {} : { columns: from.map(({ name }) => name), refColumns: to.map(({ name }) => name) }),
      reason,
    })),
    degenerateDimensions: columns
      .filter(
        (column) =>
          facts.has(column.table) &&
          !referred.has(column.table) &&
          ['text', 'boolean'].includes(column.family) &&
          !isInKey(column) &&
          junkReason(column) === undefined &&
          personalReason(column) === undefined &&
          column.column.distinctApprox <= MAX_DEGENERATE_SHARE * column.table.rows + 1,
      )
      .map(place),
    measures: columns.flatMap((column) => {
      const trait =
        isInKey(column) || junkReason(column) !== undefined || personalReason(column) !== undefined
          ? undefined
          : measureTrait(column);
      return trait === undefined ? [] : [{ ...place(column), aggregator: trait.aggregator, reason: trait.reason }];
    }),
    hierarchies: tables
      .flatMap(findHierarchies)
      .filter(({ kind }) => kind !== 'calendar')
      .map(({ table, levels, reason }) => ({
        table: table.name,
        levels: levels.map(({ name }) => name),
        reason,
      })),
    personalData: columns.flatMap((column) => {
      const reason = personalReason(column);
      return reason === undefined ? [] : [{ ...place(column), reason }];
    }),
    units: columns.flatMap((column) => {
      const unit = findUnit(column);
      return unit === undefined || measureTrait(column) === undefined ? [] : [{ ...place(column), unit: unit.unit }];
    }),
    unusedColumns: columns.flatMap((column) => {
      const reason = junkReason(column);
      return reason === undefined ? [] : [{ ...place(column), reason }];
    }),
  };
}
