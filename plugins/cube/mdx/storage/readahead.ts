import { MAX_PARENTS_READ_AHEAD } from '../limits.ts';
import type { Member } from '../metadata/member.ts';

/**
 * Decides which parents' children are read together. A walk through parents one after the other gets twice as many with each
 * statement, as a file system reads ahead; a walk that jumps gets what it asked for.
 */
export class Readahead {
  #expected: Member | undefined;
  #span = 1;

  /**
   * Returns the parents whose children are read together with the children of `parent`. `following`: the next parent whose
   * children are not in memory.
   */
  from(parent: Member, following: (of: Member) => Member | undefined): readonly Member[] {
    this.#span = parent === this.#expected ? Math.min(this.#span * 2, MAX_PARENTS_READ_AHEAD) : 1;
    const parents = [parent];
    let next = following(parent);
    for (; next !== undefined && parents.length < this.#span; next = following(next)) parents.push(next);
    this.#expected = next;
    return parents;
  }
}
