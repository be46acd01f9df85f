/** Writes the MDX of a resolved query. The text contains only unique names of the engine. */

import type { HierarchyMetadata, LevelMetadata, MeasureMetadata } from '../../cube-metadata/cube-metadata.ts';
import { factCountName } from '../../cube-metadata/fact-counts.ts';
import { quoteName } from '../../schema/mdx-name.ts';
import type { FoundMember } from '../resolve/find-members.ts';
import { type AxisSelection, type Condition, lastShown, type ResolvedQuery } from '../resolve/resolved-query.ts';

export interface Compiled {
  readonly mdx: string;
  /** Unique names of the measures on the column axis: the requested ones, then counts that only masking needs. */
  readonly measures: readonly string[];
  /** The indexes in `measures` of the measures that decide whether a group is small. */
  readonly counts: readonly number[];
}

export interface CompileOptions {
  /** Groups with a smaller count are masked. 0 masks none. */
  readonly threshold: number;
  /** Measure groups with facts that can be counted. */
  readonly countedGroups: ReadonlySet<string>;
}

export function compile(query: ResolvedQuery, options: CompileOptions): Compiled {
  const { rows, columns, slicer, measures, order, nonEmpty, cube } = query;
  const counting = options.threshold > 0 ? countsFor([...measures, ...order.map((each) => each.measure)], options) : [];
  const shown = measures.map(({ uniqueName }) => uniqueName);
  const all = [...new Set([...shown, ...counting])];
  const formulas: string[] = [];

  const across = [...columns.map((selection) => axisSet(selection, query)), `{${all.join(', ')}}`];
  const columnAxis = `${nonEmpty && columns.length > 0 ? 'NON EMPTY ' : ''}${crossJoin(across)} ON COLUMNS`;
  const rowAxis =
    rows.length === 0
      ? undefined
      : `${nonEmpty ? 'NON EMPTY ' : ''}${rowSet(query, counting, options.threshold, formulas)} ON ROWS`;
  const where = slicer.map(({ hierarchy, conditions }) => domainOf(hierarchy, conditions).set);
  return {
    mdx: [
      ...(formulas.length === 0 ? [] : [`WITH\n${formulas.join('\n')}`]),
      `SELECT ${[columnAxis, ...(rowAxis === undefined ? [] : [rowAxis])].join(',\n  ')}`,
      `FROM ${quoteName(cube)}`,
      ...(where.length === 0 ? [] : [`WHERE ${crossJoin(where)}`]),
    ].join('\n'),
    measures: all,
    counts: counting.map((name) => all.indexOf(name)),
  };
}

/**
 * Lists the measures that count a group: the requested ones that count, and for the other measures the fact counts of
 * their groups, if the schema counts anything of them.
 */
function countsFor(measures: readonly MeasureMetadata[], { countedGroups }: CompileOptions): readonly string[] {
  const counting = measures.filter(({ counts }) => counts);
  const counted = new Set(counting.filter(({ stored }) => stored).flatMap(({ groups }) => groups));
  const others = new Set(measures.flatMap(({ groups }) => groups).filter((group) => !counted.has(group)));
  const hidden = [...others].filter((group) => countedGroups.has(group));
  return [
    ...new Set([
      ...counting.map(({ uniqueName }) => uniqueName),
      ...hidden.map((group) => `[Measures].${quoteName(factCountName(group))}`),
    ]),
  ];
}

/** Writes the rows in their order, cut to the limit. Large groups are ranked, and small ones follow unranked. */
function rowSet(query: ResolvedQuery, counting: readonly string[], threshold: number, formulas: string[]): string {
  const { rows, columns, measures, order, limit, nonEmpty } = query;
  const sets = rows.map((selection) => axisSet(selection, query));
  if (order.length === 0 && limit === undefined) return crossJoin(sets);

  const totals = columns.filter((selection) => !isWhole(selection)).map((selection) => total(selection, formulas));
  const at = (measure: string) => (totals.length === 0 ? measure : `(${[measure, ...totals].join(', ')})`);
  // The function uses default members, which is correct if a column's total is one.
  const base =
    nonEmpty && sets.length > 1 && totals.length === 0 ? `NonEmptyCrossJoin(${sets.join(', ')})` : crossJoin(sets);
  const usedMeasures = [...new Set([...measures, ...order.map(({ measure }) => measure)])];
  const filled = usedMeasures.map(({ uniqueName }) => `NOT IsEmpty(${at(uniqueName)})`).join(' OR ');
  if (order.length === 0) return `Head(${nonEmpty ? `Filter(${base}, ${filled})` : base}, ${limit})`;

  const named = (set: string): string => {
    if (set.length < 200 && !set.includes('(')) return set;
    const name = `[~rows ${formulas.length + 1}]`;
    formulas.push(`SET ${name} AS ${set}`);
    return name;
  };
  const keys = order.map(({ measure, direction }) => ({ key: at(measure.uniqueName), direction }));
  const counts = counting.map(at);
  const [count, ...otherCounts] = counts;
  // A single count of facts identifies empty rows. So does the sort key if it is the only measure.
  const dropsEmpty = nonEmpty && (usedMeasures.length === 1 || (count !== undefined && otherCounts.length === 0));
  const whole = nonEmpty && !dropsEmpty ? `Filter(${base}, ${filled})` : base;
  const skipEmptyKeys = nonEmpty && usedMeasures.length === 1;
  const ranked = (set: string) => rank(set, keys, { limit, named, skipEmptyKeys });
  if (count === undefined) {
    const parts = ranked(whole);
    const isCut = limit === undefined || (parts.length === 1 && order.length === 1);
    return isCut ? joined(parts) : `Head(${joined(parts)}, ${limit})`;
  }
  const set = named(whole);
  const isLarge =
    otherCounts.length === 0
      ? `${count} >= ${threshold}`
      : counts.map((each) => `(IsEmpty(${each}) OR ${each} >= ${threshold})`).join(' AND ');
  const small = dropsEmpty && otherCounts.length === 0 ? `${count} < ${threshold}` : `NOT (${isLarge})`;
  const all = joined([...ranked(`Filter(${set}, ${isLarge})`), `Filter(${set}, ${small})`]);
  return limit === undefined ? all : `Head(${all}, ${limit})`;
}

function joined(sets: readonly string[]): string {
  const [first = '{}', ...others] = sets;
  return others.length === 0 ? first : `{${sets.join(', ')}}`;
}

interface Key {
  readonly key: string;
  readonly direction: 'asc' | 'desc';
}

interface Ranking {
  readonly limit: number | undefined;
  readonly named: (set: string) => string;
  /** True if members without the key are not shown anyway. */
  readonly skipEmptyKeys: boolean;
}

/**
 * Writes the parts of the ordered set, with empty keys last. The last key is sorted first, because ties keep their
 * order.
 */
function rank(set: string, keys: readonly Key[], ranking: Ranking): readonly string[] {
  const [first, ...others] = keys;
  if (first === undefined) return [set];
  const { limit, named, skipEmptyKeys } = ranking;
  const isOnly = others.length === 0;
  const settled = isOnly ? set : joined(rank(set, others, { ...ranking, limit: undefined }));
  if (first.direction === 'desc') {
    return [
      isOnly && limit !== undefined
        ? `TopCount(${set}, ${limit}, ${first.key})`
        : `Order(${settled}, ${first.key}, BDESC)`,
    ];
  }
  const all = named(settled);
  const filled = `Filter(${all}, NOT IsEmpty(${first.key}))`;
  const empty = skipEmptyKeys ? [] : [`Filter(${all}, IsEmpty(${first.key}))`];
  return [
    isOnly && limit !== undefined
      ? `BottomCount(${filled}, ${limit}, ${first.key})`
      : `Order(${filled}, ${first.key}, BASC)`,
    ...empty,
  ];
}

/** Returns whether the selection shows all of a hierarchy that is whole by default. */
function isWhole({ hierarchy, conditions, mixed }: AxisSelection): boolean {
  return hierarchy.isWholeByDefault && conditions.length === 0 && mixed === undefined;
}

/** Declares a member that totals all members of a hierarchy in the columns, and returns its name. */
function total(selection: AxisSelection, formulas: string[]): string {
  const name = `${selection.hierarchy.uniqueName}.[~columns]`;
  const set =
    selection.mixed === undefined
      ? domainOf(selection.hierarchy, selection.conditions, lastShown(selection).level).set
      : membersSet(selection.mixed);
  // Its solve order is below every calculated member of the cube, so that ratios are ratios of totals.
  formulas.push(`MEMBER ${name} AS Aggregate(${set}), SOLVE_ORDER = -100`);
  return name;
}

function axisSet(selection: AxisSelection, { visualTotals }: ResolvedQuery): string {
  const { hierarchy, conditions, mixed } = selection;
  if (mixed !== undefined) return visualTotals ? `VisualTotals(${membersSet(mixed)})` : membersSet(mixed);
  const { level } = lastShown(selection);
  const domain = domainOf(hierarchy, conditions, level);
  if (domain.level.depth === level.depth) return domain.set;
  // A filter below the shown level: the shown members become totals of the filtered members.
  const ancestors = `Generate(${domain.set}, {Ancestor(${hierarchy.uniqueName}.CurrentMember, ${level.uniqueName})})`;
  const totals = `VisualTotals(Hierarchize({${ancestors}, ${domain.set}}))`;
  return `Filter(${totals}, ${hierarchy.uniqueName}.CurrentMember.Level IS ${level.uniqueName})`;
}

/** Returns the members that meet all conditions, at the lowest level of the conditions. */
export function domainOf(
  hierarchy: HierarchyMetadata,
  conditions: readonly Condition[],
  shown?: LevelMetadata,
): { readonly set: string; readonly level: LevelMetadata } {
  const spoken = [...(shown === undefined ? [] : [shown]), ...conditions.map(({ level }) => level)];
  const [level = hierarchy.levels[0]] = spoken.toSorted((left, right) => right.depth - left.depth);
  if (level === undefined) throw new Error('a domain is asked for without a level');
  const sets = [
    ...conditions.filter((each) => each.level.depth === level.depth),
    ...conditions.filter((each) => each.level.depth < level.depth),
  ].map((each, index) => {
    // The first set gives the order. On an axis, it is the order of the hierarchy, not of a filter's members.
    const isShown = shown !== undefined && index === 0;
    const set = isShown ? inOrder(each, hierarchy) : conditionSet(each, hierarchy);
    return each.level.depth === level.depth ? set : `Descendants(${set}, ${level.uniqueName})`;
  });
  const [first = `${level.uniqueName}.Members`, ...others] = sets;
  return { set: others.reduce((left, right) => `Intersect(${left}, ${right})`, first), level };
}

/** Writes the members of a condition in hierarchy order, unless the condition has its own order. */
function inOrder(condition: Condition, hierarchy: HierarchyMetadata): string {
  const set = conditionSet(condition, hierarchy);
  const { kind } = condition;
  if (kind === 'between' || kind === 'not_in' || kind === 'children_of' || condition.members.length < 2) return set;
  return kind === 'in' && condition.isOrdered === true ? set : `Hierarchize(${set})`;
}

function conditionSet(condition: Condition, hierarchy: HierarchyMetadata): string {
  const { level } = condition;
  switch (condition.kind) {
    case 'in':
      return condition.members.length === 0 ? `Head(${level.uniqueName}.Members, 0)` : membersSet(condition.members);
    case 'not_in':
      if (condition.members.length === 0) return `${level.uniqueName}.Members`;
      return `Except(${level.uniqueName}.Members, ${membersSet(condition.members)})`;
    case 'between':
      return `{${condition.first.uniqueName} : ${condition.last.uniqueName}}`;
    case 'descendants_of': {
      const set = membersSet(condition.members);
      return condition.members.every((member) => member.level === level)
        ? set
        : `Descendants(${set}, ${level.uniqueName})`;
    }
    case 'children_of': {
      const { set } = domainOf(hierarchy, condition.of, level);
      return `Generate(${set}, ${hierarchy.uniqueName}.CurrentMember.Children)`;
    }
  }
}

function membersSet(members: readonly FoundMember[]): string {
  return `{${members.map(({ uniqueName }) => uniqueName).join(', ')}}`;
}

function crossJoin(sets: readonly string[]): string {
  const [first = '{}', ...others] = sets;
  return others.reduce((left, right) => `CrossJoin(${left}, ${right})`, first);
}
