import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { isAnyMember } from './aggregate-tuples.ts';
import { storedParts } from './parent-child.ts';

/** Finds the rows below members that a role may see. */
export class SeenRows {
  /** Says whether a role sees some members in part only. */
  readonly isRestricted: boolean;
  readonly #parts = new Map<TupleSet, TupleSet>();
  readonly #rows = new WeakMap<TupleSet, TupleSet>();

  constructor(isRestricted: boolean) {
    this.isRestricted = isRestricted;
  }

  /**
   * Returns the parts of a member that a role may see, as members that rows of the warehouse belong to. `undefined` is
   * the whole member; `hidden` is no row at all.
   */
  partsOf(member: Member): TupleSet | 'hidden' | undefined {
    const { hierarchy, kind, level } = member;
    if (!this.isRestricted || (kind !== 'all' && kind !== 'stored' && kind !== 'data')) return undefined;
    if (hierarchy.isMeasures || level.kind === 'measures' || isAnyMember(member)) return undefined;
    const members = hierarchy.members.rollupMembers(member);
    return members === undefined || members === 'hidden' ? members : this.#inStoredParts(members);
  }

  #inStoredParts(members: TupleSet): TupleSet {
    let parts = this.#parts.get(members);
    if (parts === undefined) {
      parts = members.flatMap((tuple) => tuple.flatMap(storedParts).map((member) => [member]));
      this.#parts.set(members, parts);
    }
    return parts;
  }

  /** Replaces members that the role sees in part by their visible parts. Leaves out tuples of hidden members. */
  of(tuples: TupleSet): TupleSet {
    if (!this.isRestricted) return tuples;
    let rows = this.#rows.get(tuples);
    if (rows === undefined) {
      rows = tuples.flatMap((tuple) => this.#ofTuple(tuple));
      this.#rows.set(tuples, rows);
    }
    return rows;
  }

  #ofTuple(tuple: Tuple): TupleSet {
    return tuple.reduce<TupleSet>(
      (rows, member) => {
        const parts = this.partsOf(member) ?? [[member]];
        return parts === 'hidden' ? [] : rows.flatMap((row) => parts.map((part) => [...row, ...part]));
      },
      [[]],
    );
  }
}
