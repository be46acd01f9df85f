import { unconstrained } from '../../evaluate/aggregate-tuples.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { storedParts } from '../../evaluate/parent-child.ts';
import type { FactGroup } from '../../metadata/fact-group.ts';
import type { Member, TupleSet } from '../../metadata/member.ts';
import { MdxError } from '../../syntax/errors.ts';

/** The facts of one cell. */
export interface CellFacts {
  readonly group: FactGroup;
  readonly measure: Member;
  /** Restricts the rows: each row must be in at least one tuple of every set. An empty set contains no row. */
  readonly restrictions: readonly TupleSet[];
}

/**
 * Returns the facts of the cell at the context of an evaluation.
 *
 * @throws MdxError if the cell is calculated
 * @throws DataNotLoaded until the data that it needs is read
 */
export function factsOf(evaluator: Evaluation): CellFacts {
  const { cube, slicer } = evaluator;
  const [measure, ...members] = evaluator.context;
  if (measure?.measure === undefined) {
    throw new MdxError(
      `'${measure?.uniqueName ?? '[Measures]'}' is calculated; a drill-through takes a cell of a stored measure.`,
      undefined,
      cube.measures.members.roots().map(({ uniqueName }) => uniqueName),
    );
  }
  const group = cube.groups.get(measure.measure.group);
  if (group === undefined) throw new MdxError(`'${measure.uniqueName}' has no facts.`);
  const restrictions: TupleSet[] = [...cube.rows];
  if (slicer?.isEmpty) restrictions.push([]);
  const sliced = slicer?.remaining(evaluator.context) ?? [];
  if (members.some((member) => slicer?.isPlaceholder(member))) restrictions.push(sliced);
  for (const member of members) {
    if (slicer?.isPlaceholder(member)) {
      restrictions.push(...seenOf(unconstrained(member), slicer.membersOf(member.hierarchy)));
      continue;
    }
    if (member.isNull) restrictions.push([]);
    else if (member.kind === 'calculated') {
      throw new MdxError(
        `'${member.uniqueName}' is a calculated member; a drill-through takes cells of stored members.`,
      );
    } else if (group.reachesLevel(member.level)) restrictions.push(...restrictionOf(member));
    else if (group.reaches(member.hierarchy)) restrictions.push([]);
    else if (!group.model.ignoreUnrelatedDimensions && member !== member.hierarchy.defaultMember) restrictions.push([]);
  }
  return { group, measure, restrictions: restrictions.map(flattened) };
}

/** Returns the rows of a member that the caller may see. */
function restrictionOf(member: Member): readonly TupleSet[] {
  const parts = member.hierarchy.members.visibleDescendants(member);
  if (parts !== undefined) return [parts];
  return member.kind === 'all' ? [] : [[[member]]];
}

/** Returns the visible parts of the slicer's members. */
function seenOf(any: Member, members: readonly Member[]): readonly TupleSet[] {
  const parts = members.map((member) => any.hierarchy.members.visibleDescendants(member) ?? [[member]]);
  return members.every((member) => any.hierarchy.members.visibleDescendants(member) === undefined)
    ? []
    : [parts.flat()];
}

/** Replaces totals that the engine computes by the members' own data. */
function flattened(tuples: TupleSet): TupleSet {
  return tuples.flatMap((tuple) =>
    tuple.reduce<readonly (readonly Member[])[]>(
      (all, member) => all.flatMap((before) => storedParts(member).map((part) => [...before, part])),
      [[]],
    ),
  );
}
