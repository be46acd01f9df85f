import type { Calc } from '../compile/calc.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_SET_MADE_WHOLE } from '../limits.ts';
import type { Level, Member, TupleSet } from '../metadata/member.ts';
import { compareTuples } from '../metadata/navigate.ts';

/** The members of a stored level, all of them or those below a member. */
export interface LevelPart {
  readonly kind: 'level';
  readonly level: Level;
  readonly within: Member | undefined;
}

/** Listed tuples of stored members. All tuples have the same levels. */
export interface ListedPart {
  readonly kind: 'listed';
  readonly tuples: TupleSet;
  readonly levels: readonly Level[];
}

/** A part of a set that the warehouse can compute. The set is the product of its parts. */
export type SetPart = LevelPart | ListedPart;

/**
 * Returns the parts of a set, as far as its expression shows them: `level.Members`, `member.Children`,
 * `Descendants(member, level)`, listed members, cross joins and `Hierarchize` of these, and named sets. Returns
 * `undefined` for every other set, and for sets with members that are not stored.
 */
export function partsOf(calc: Calc, evaluator: Evaluator): readonly SetPart[] | undefined {
  if (calc.kind !== 'set' || calc.dependsOn !== 0n) return undefined;
  const [first, second] = calc.parts;
  if (calc.cursor !== undefined)
    return calc.parts.length === 1 && first?.kind === 'set' ? partsOf(first, evaluator) : undefined;
  if (calc.call === undefined) {
    const members = calc.parts.flatMap((part) => (part.kind === 'member' ? (part.constant ?? []) : []));
    const part = members.length === calc.parts.length ? listedPart(members.map((member) => [member])) : undefined;
    return part === undefined ? undefined : [part];
  }
  switch (calc.call.shape) {
    case 'members':
      return first?.kind === 'level' ? levelPart(first.evaluate(evaluator), undefined) : undefined;
    case 'children': {
      const parent = first?.kind === 'member' ? first.constant : undefined;
      return parent === undefined ? undefined : levelPart(parent.level.below, parent);
    }
    case 'descendants': {
      const top = first?.kind === 'member' ? first.constant : undefined;
      if (top === undefined || second?.kind !== 'level' || calc.parts.length !== 2) return undefined;
      const level = second.evaluate(evaluator);
      return level.depth > top.level.depth ? levelPart(level, top) : undefined;
    }
    case 'crossjoin': {
      const parts: SetPart[] = [];
      for (const part of calc.parts) {
        const inner = partsOf(part, evaluator);
        if (inner === undefined) return undefined;
        parts.push(...inner);
      }
      return parts;
    }
    case 'hierarchize': {
      const [part, ...others] = first?.kind === 'set' && second === undefined ? (partsOf(first, evaluator) ?? []) : [];
      if (part === undefined || others.length > 0) return undefined;
      return [part.kind === 'level' ? part : { ...part, tuples: part.tuples.toSorted(compareTuples) }];
    }
    default:
      return undefined;
  }
}

function levelPart(level: Level | undefined, within: Member | undefined): readonly LevelPart[] | undefined {
  if (level?.kind !== 'stored' || !level.hierarchy.members.isPlain || !level.hierarchy.visible) return undefined;
  if (within !== undefined && within.kind !== 'all' && within.kind !== 'stored') return undefined;
  return [{ kind: 'level', level, within: within?.kind === 'all' ? undefined : within }];
}

/** Returns tuples as a part; `undefined` unless all have stored members of the same levels. */
export function listedPart(tuples: TupleSet): ListedPart | undefined {
  const [first] = tuples;
  if (first === undefined) return undefined;
  const levels: Level[] = [];
  for (const [place, member] of first.entries()) {
    const { level } = member;
    if (level.kind !== 'stored' || !level.hierarchy.members.isPlain) return undefined;
    if (!tuples.every((tuple) => tuple[place]?.kind === 'stored' && tuple[place]?.level === level)) return undefined;
    levels.push(level);
  }
  return { kind: 'listed', tuples, levels };
}

/**
 * Returns whether a product is so large that the warehouse should compute it.
 *
 * @throws DataNotLoaded until the sizes of levels are known
 */
export function isLargeProduct(parts: readonly SetPart[]): boolean {
  let size = 1;
  for (const part of parts) {
    if (part.kind === 'listed') size *= part.tuples.length;
    else if (part.level.hierarchy.members.isLarge(part.level)) return true;
    else size *= part.level.hierarchy.members.members(part.level).length;
  }
  return size > MAX_SET_MADE_WHOLE;
}

/** Returns the levels of a product's members, in the order of its parts. */
export function levelsOf(parts: readonly SetPart[]): readonly Level[] {
  return parts.flatMap((part) => (part.kind === 'level' ? [part.level] : part.levels));
}
