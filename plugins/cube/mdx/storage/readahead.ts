import { MAX_PARENTS_READ_AHEAD } from '../limits.ts';
import type { Member } from '../metadata/member.ts';

/**
 * Decides which parents' children are read with one statement. A walk from parent to parent doubles their number with
 * each statement, as a file system reads ahead. A walk that jumps reads only what it needs.
 */
export class Readahead {
  #expected: Member | undefined;
  #span = 1;

  /**
   * Returns the parents whose children are read together with the children of `parent`.
   *
   * @param following returns the next parent whose children are not in memory
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
