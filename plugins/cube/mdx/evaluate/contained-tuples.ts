import type { Member, Tuple, TupleSet } from '../metadata/member.ts';

const REMEMBERED = new WeakMap<TupleSet, TupleSet>();

/**
 * Returns the tuples without those within another tuple. The outer tuple has their rows as well, and each row counts
 * once.
 */
export function withoutContained(tuples: TupleSet): TupleSet {
  if (!mayContain(tuples)) return tuples;
  let rest = REMEMBERED.get(tuples);
  if (rest === undefined) {
    rest = outermost(tuples);
    REMEMBERED.set(tuples, rest);
  }
  return rest;
}

function outermost(tuples: TupleSet): TupleSet {
  const tupleKeys = new Set(tuples.map(containedTupleKey));
  const [first = []] = tuples;
  const present = first.map((_, place) => new Set(tuples.flatMap((tuple) => tuple.slice(place, place + 1))));
  return tuples.filter((tuple) => {
    const key = containedTupleKey(tuple);
    return !containers(tuple, present).some((outer) => outer !== key && tupleKeys.has(outer));
  });
}

/**
 * Returns whether two tuples can share rows although neither is within the other: one is wider in one hierarchy, the
 * other in another.
 */
export function mayOverlap(tuples: TupleSet): boolean {
  const [first = []] = tuples;
  const isMixed = (place: number) =>
    tuples.some((tuple) => tuple[place]?.level !== first[place]?.level) || first[place]?.level.isParentChild === true;
  return tuples.length > 1 && first.filter((_, place) => isMixed(place)).length > 1;
}

/**
 * Returns whether one tuple can be within another. Among members of one level, only members of a parent-child hierarchy
 * can be.
 */
function mayContain(tuples: TupleSet): boolean {
  const [first] = tuples;
  return tuples.some((tuple) =>
    tuple.some(({ level }, place) => level !== first?.[place]?.level || (tuples.length > 1 && level.isParentChild)),
  );
}

/** Returns the keys of the tuples of present members that contain the tuple, including its own key. */
function containers(tuple: Tuple, present: readonly ReadonlySet<Member>[]): readonly string[] {
  return tuple.reduce<readonly string[]>(
    (keys, member, place) => {
      const above: string[] = [];
      for (let at: Member | undefined = member; at !== undefined; at = at.treeParent)
        if (present[place]?.has(at)) above.push(String(at.id));
      return keys.flatMap((key) => above.map((id) => (place === 0 ? id : `${key},${id}`)));
    },
    [''],
  );
}

function containedTupleKey(tuple: Tuple): string {
  return tuple.map(({ id }) => id).join();
}
