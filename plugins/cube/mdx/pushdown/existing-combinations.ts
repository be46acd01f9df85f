import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, type SqlPart } from '../../../query-surface/index.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { whereClause } from '../sql/clauses.ts';
import { selectedExactly } from '../sql/exact-comparison.ts';
import { FactFrom } from '../sql/fact-from-clause.ts';
import { inAnyOf } from '../sql/tuple-conditions.ts';
import { type Combinations, readCombinations, unionOf } from '../storage/combinations.ts';
import { MdxLimitError } from '../syntax/errors.ts';

/**
 * Returns the combinations of large sets that have facts, as the warehouse finds them. Returns `undefined` unless every
 * set has stored members of one level.
 */
export function existingCombinations(evaluator: Evaluator, sets: readonly TupleSet[]): TupleSet | undefined {
  if (evaluator.overlaid) return undefined;
  const grains: Grain[] = [];
  for (const set of sets) {
    for (const [place] of (set[0] ?? []).entries()) {
      const grain = grainAt(set, place);
      if (grain === undefined) return undefined;
      grains.push(grain);
    }
  }
  const groups = [...evaluator.cube.groups.values()].filter((group) =>
    grains.every(({ level }) => group.reachesLevel(level)),
  );
  if (groups.length === 0 || groups.length < evaluator.cube.groups.size) return undefined;
  return combine(sets, unionOf(groups.map((group) => existingRows(evaluator, group, grains))));
}

function grainAt(set: TupleSet, place: number): Grain | undefined {
  const first = set[0]?.[place];
  if (first?.kind !== 'stored' || first.level.isParentChild) return undefined;
  const same = set.every((tuple) => tuple[place]?.kind === 'stored' && tuple[place]?.level === first.level);
  return same ? { level: first.level, data: false } : undefined;
}

const MEMBERS = '\u0002';

function existingRows(evaluator: Evaluator, group: FactGroup, grains: readonly Grain[]): Combinations {
  const { cube } = evaluator;
  const context = evaluator.context.filter(
    (member) =>
      member.kind === 'stored' &&
      group.reachesLevel(member.level) &&
      grains.every(({ level }) => level.hierarchy !== member.hierarchy),
  );
  const key = [
    evaluator.cells.scope,
    group.name,
    ...grains.map(({ level }) => level.uniqueName),
    ...context.map(({ id }) => id),
  ].join('|');
  const kept = evaluator.cells.nonEmptyTuples(key);
  if (kept !== undefined) return kept;
  throw new DataNotLoaded(`existing ${key}`, async (signal) => {
    const { statement, widths } = existingStatement(evaluator, group, grains, context);
    const result = await cube.warehouse.query(statement, { signal, maxRows: evaluator.limits.cells });
    if (result.truncated) throw new MdxLimitError(`A set has more than ${evaluator.limits.cells} tuples with data.`);
    evaluator.cells.keepNonEmptyTuples(key, await readCombinations(result, widths));
  });
}

function existingStatement(
  { cube }: Evaluator,
  group: FactGroup,
  grains: readonly Grain[],
  context: readonly Member[],
): { readonly statement: Statement; readonly widths: readonly number[] } {
  const { dialect } = cube.warehouse;
  const predicates = context.length === 0 ? [] : [[context]];
  const facts = new FactFrom(dialect, group, cube.facts.read(group, { grains, measures: [], predicates }));
  const keys = grains.map((grain) => facts.keys(grain));
  const restriction = context.length === 0 ? undefined : inAnyOf([context], facts, group);
  const where = [...facts.from.conditions, ...(restriction === undefined ? [] : [restriction])];
  const columns = keys.flat().map((column, index) => `${column} AS c${index}`);
  const clauses: readonly SqlPart[] = [
    `SELECT DISTINCT ${selectedExactly(dialect, keys.flat(), columns)} FROM ${facts.from.text}`,
    ...whereClause(where),
  ];
  return { statement: joinSql(clauses, ' ').print(dialect), widths: keys.map(({ length }) => length) };
}

/** Returns the combinations that are tuples of the sets, in the order of the product. */
function combine(sets: readonly TupleSet[], combinations: Combinations): TupleSet {
  const combined: { readonly at: readonly number[]; readonly tuple: Tuple }[] = [];
  const indexes = sets.map((set) => {
    const index = new Map<string, number[]>();
    for (const [at, tuple] of set.entries()) {
      const key = tuple.map(({ cellKey }) => cellKey).join(MEMBERS);
      const places = index.get(key);
      if (places === undefined) index.set(key, [at]);
      else places.push(at);
    }
    return index;
  });
  const widths = sets.map((set) => set[0]?.length ?? 0);
  for (const keys of combinations.rows()) {
    let from = 0;
    let chosen: readonly (readonly number[])[] = [[]];
    for (const [place, index] of indexes.entries()) {
      const width = widths[place] ?? 0;
      const at = index.get(keys.slice(from, from + width).join(MEMBERS)) ?? [];
      from += width;
      chosen = chosen.flatMap((left) => at.map((right) => [...left, right]));
    }
    for (const at of chosen) combined.push({ at, tuple: at.flatMap((index, place) => sets[place]?.[index] ?? []) });
  }
  combined.sort((left, right) => {
    for (const [place, index] of left.at.entries()) {
      const order = index - (right.at[place] ?? 0);
      if (order !== 0) return order;
    }
    return 0;
  });
  return combined.map(({ tuple }) => tuple);
}
