import { InternalError } from '../../../../../router/errors.ts';
import { addUp, unconstrained } from '../../evaluate/aggregate-tuples.ts';
import type { CellOverlay, Evaluator } from '../../evaluate/evaluator.ts';
import { storedParts } from '../../evaluate/parent-child.ts';
import type { FactGroup } from '../../metadata/fact-group.ts';
import type { Member, TupleSet } from '../../metadata/member.ts';
import type { Value } from '../../metadata/value.ts';
import { asNumber } from '../../metadata/value.ts';
import { problem } from './change-problem.ts';
import { intersection, Leaves, type Region, regionKey } from './region.ts';
import { type ResolvedChange, resolveChange } from './resolve-change.ts';
import type { Scenario } from './scenario.ts';

/** The members of the evaluation that the overlay needs to read stored values. */
export interface StoredReader extends Evaluator {
  /** Returns the stored cell at these current members; `null` if it is empty. Notes missing data. */
  readStored(context: readonly Member[]): Value;
  readonly missCount: number;
}

interface AppliedChange extends ResolvedChange {
  /** The number of leaf cells of the changed cell. */
  readonly leaves: number;
  /** The value of the cell before this change. */
  readonly before: number;
}

/**
 * The stored cells with the changes of a scenario.
 *
 * Let `b(x)` be the value of a block of leaf cells `x` before a change, `c` the block of the changed cell, `v` its new
 * value, `|x|` the number of leaf cells of `x`, and `x∩c` the leaf cells in both. UPDATE CUBE gives every leaf cell of
 * `c` a new value. The sum of the new values over `x` has a closed form, which visits no leaves:
 *
 * - equal_allocation (each leaf cell becomes `v/|c|`): `b(x) − b(x∩c) + v·|x∩c|/|c|`
 * - equal_increment (each leaf cell grows by the same amount): `b(x) + (v − b(c))·|x∩c|/|c|`
 * - weighted_allocation (each leaf cell becomes its share `b(leaf)/b(c)` of `v`) and weighted_increment (each leaf cell
 *   grows by its share of `v − b(c)`), which are equal with these weights: `b(x) + (v/b(c) − 1)·b(x∩c)`
 *
 * Empty leaf cells count as 0, and the equal rules fill them. A block is a product of members of the hierarchies, so
 * `|x|` is the product of their numbers of leaves. Hierarchies that the measure's facts do not reach are left out.
 * Hierarchies of one dimension count as if they were independent of each other.
 */
export class Overlay implements CellOverlay {
  readonly #leaves: Leaves;
  readonly #evaluator: StoredReader;
  readonly #changes: AppliedChange[] = [];
  readonly #measures = new Set<Member['measure']>();
  readonly #memo = new Map<string, number | null>();

  /**
   * Resolves the changes.
   *
   * @throws MdxError for a change that cannot be made
   * @throws DataNotLoaded until the data that it needs is read
   */
  constructor(evaluator: StoredReader, { changes }: Scenario) {
    this.#evaluator = evaluator;
    this.#leaves = new Leaves(evaluator);
    for (const [index, change] of changes.entries()) {
      const resolved = resolveChange(evaluator.cube, change, index);
      const applied = this.#applied(resolved, index);
      this.#changes.push(applied);
      this.#measures.add(resolved.measure);
    }
  }

  #applied(change: ResolvedChange, index: number): AppliedChange {
    const leaves = this.#size(change.group, change.region);
    const missing = this.#evaluator.missCount;
    const before = this.#value(change.group, change.measureMember, change.region, this.#changes.length);
    if (missing === this.#evaluator.missCount) {
      if (leaves === 0) throw problem(index, ['members'], 'There are no leaf members below the cell.');
      const weighted = change.allocation === 'weighted_allocation' || change.allocation === 'weighted_increment';
      if (weighted && (before ?? 0) === 0) {
        throw problem(
          index,
          ['allocation'],
          'The cell is empty or 0, so there are no weights to spread a value by; choose equal_allocation or equal_increment.',
        );
      }
    }
    return { ...change, leaves, before: before ?? 0 };
  }

  changes(measure: Member['measure']): boolean {
    return this.#measures.has(measure);
  }

  /** Returns the value of the cell at the context, restricted to rows in each of the predicates. */
  valueAt(context: readonly Member[], predicates: readonly TupleSet[]): Value {
    const [measure] = context;
    const group = measure?.measure === undefined ? undefined : this.#evaluator.cube.groups.get(measure.measure.group);
    if (measure === undefined || group === undefined) throw new InternalError('The current measure is not stored.');
    const region: (readonly Member[] | undefined)[] = [];
    for (const [ordinal, member] of context.entries()) {
      if (ordinal > 0 && member.kind !== 'all' && !group.reaches(member.hierarchy)) {
        if (!group.model.ignoreUnrelatedDimensions && member !== member.hierarchy.defaultMember) return null;
      } else if (ordinal > 0 && member.kind === 'stored' && !group.reachesLevel(member.level)) return null;
      region.push(ordinal === 0 || member.kind === 'all' || !group.reaches(member.hierarchy) ? undefined : [member]);
    }
    let parts: readonly Region[] = [region];
    for (const tuples of predicates) {
      parts = parts.flatMap((part) =>
        tuples.flatMap((tuple): readonly Region[] => {
          const common = intersection(part, regionOf(part.length, group, tuple));
          return common === undefined ? [] : [common];
        }),
      );
    }
    return addUp(parts.map((part) => this.#value(group, measure, part, this.#changes.length)));
  }

  /** Returns `b(x)` before the change with this index. */
  #value(group: FactGroup, measure: Member, region: Region, before: number): number | null {
    const key = `${before} ${measure.id} ${regionKey(region)}`;
    const remembered = this.#memo.get(key);
    if (remembered !== undefined) return remembered;
    const missing = this.#evaluator.missCount;
    const value = this.#computed(group, measure, region, before);
    if (missing === this.#evaluator.missCount) this.#memo.set(key, value);
    return value;
  }

  #computed(group: FactGroup, measure: Member, region: Region, before: number): number | null {
    const change = this.#changes[before - 1];
    if (change === undefined) return this.#stored(group, measure, region);
    const earlier = (part: Region) => this.#value(group, measure, part, before - 1);
    const common = change.measure === measure.measure ? intersection(region, change.region) : undefined;
    if (common === undefined) return earlier(region);
    const share = () => this.#size(group, common) / change.leaves;
    switch (change.allocation) {
      case 'equal_allocation':
        return (earlier(region) ?? 0) - (earlier(common) ?? 0) + change.value * share();
      case 'equal_increment':
        return (earlier(region) ?? 0) + (change.value - change.before) * share();
      case 'weighted_allocation':
      case 'weighted_increment': {
        const part = earlier(common);
        if (part === null) return earlier(region);
        return (earlier(region) ?? 0) + (change.value / change.before - 1) * part;
      }
    }
  }

  /** Returns the sum of the stored cells of the block. */
  #stored(group: FactGroup, measure: Member, region: Region): number | null {
    let contexts: readonly (readonly Member[])[] = [[]];
    for (const [ordinal, members] of region.entries()) {
      const hierarchy = this.#evaluator.cube.hierarchies[ordinal];
      if (hierarchy === undefined) throw new InternalError('A region has more hierarchies than the cube.');
      const parts =
        ordinal === 0
          ? [measure]
          : members === undefined
            ? [anyMember(group, hierarchy.ordinal, this.#evaluator)]
            : members.flatMap(storedParts);
      contexts = contexts.flatMap((context) => parts.map((part) => [...context, part]));
      this.#evaluator.checkSize(contexts.length);
    }
    return asNumber(addUp(contexts.map((context) => this.#evaluator.readStored(context))));
  }

  /** Returns `|x|`. */
  #size(group: FactGroup, region: Region): number {
    return this.#evaluator.cube.hierarchies.reduce((size, hierarchy) => {
      if (hierarchy.isMeasures || !group.reaches(hierarchy)) return size;
      return size * this.#leaves.below(hierarchy, region[hierarchy.ordinal]);
    }, 1);
  }
}

function anyMember(group: FactGroup, ordinal: number, { cube }: Evaluator): Member {
  const hierarchy = cube.hierarchies[ordinal];
  if (hierarchy === undefined) throw new InternalError('A region has more hierarchies than the cube.');
  return group.reaches(hierarchy) ? unconstrained(hierarchy.nullMember) : hierarchy.defaultMember;
}

/** Returns the block of cells of a tuple. */
function regionOf(size: number, group: FactGroup, tuple: readonly Member[]): Region {
  return Array.from({ length: size }, (_, ordinal) => {
    const member = tuple.find(({ hierarchy }) => hierarchy.ordinal === ordinal);
    return member === undefined || member.kind === 'all' || !group.reaches(member.hierarchy) ? undefined : [member];
  });
}
