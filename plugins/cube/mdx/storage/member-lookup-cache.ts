import { LRUCache } from 'lru-cache';
import { MAX_LOOK_UPS } from '../limits.ts';
import type { Member } from '../metadata/member.ts';

/**
 * Remembers the results of look-ups in large levels. Each cache is created at its first use, because it allocates room
 * for all its entries.
 */
export class MemberLookUps {
  #members: LRUCache<string, readonly Member[]> | undefined;
  #absent: LRUCache<string, true> | undefined;

  /** Returns the members that a look-up found, or `undefined` if the result is not remembered. */
  get(key: string): readonly Member[] | undefined {
    return this.#members?.get(key);
  }

  /** Remembers the members that a look-up found. */
  set(key: string, members: readonly Member[]): void {
    this.#members ??= new LRUCache({ max: MAX_LOOK_UPS });
    this.#members.set(key, members);
  }

  /** Returns whether the warehouse has no member with the cell key in a level, as far as is remembered. */
  isAbsent(level: number, cellKey: string): boolean {
    return this.#absent?.has(`${level} ${cellKey}`) === true;
  }

  /** Remembers that a level has no member with the cell key. */
  setAbsent(level: number, cellKey: string): void {
    this.#absent ??= new LRUCache({ max: MAX_LOOK_UPS });
    this.#absent.set(`${level} ${cellKey}`, true);
  }

  /** Forgets all look-ups, because the level is in memory now. */
  clear(): void {
    this.#members?.clear();
    this.#absent?.clear();
  }
}
