import { LRUCache } from 'lru-cache';
import { MAX_LOOK_UPS } from '../limits.ts';
import type { Member } from '../metadata/member.ts';

/** Remembers what was looked up in large levels. The caches are made when first used: each takes the room for all its entries at once. */
export class MemberLookUps {
  #found: LRUCache<string, readonly Member[]> | undefined;
  #absent: LRUCache<string, true> | undefined;

  /** Returns the members that a look-up has found, `undefined` where it is not remembered. */
  get(key: string): readonly Member[] | undefined {
    return this.#found?.get(key);
  }

  /** Remembers what a look-up has found. */
  set(key: string, members: readonly Member[]): void {
    this.#found ??= new LRUCache({ max: MAX_LOOK_UPS });
    this.#found.set(key, members);
  }

  /** Returns whether the warehouse was asked for the cell key in a level and had no such member. */
  isAbsent(level: number, cellKey: string): boolean {
    return this.#absent?.has(`${level} ${cellKey}`) === true;
  }

  /** Remembers that a level has no member of the cell key. */
  setAbsent(level: number, cellKey: string): void {
    this.#absent ??= new LRUCache({ max: MAX_LOOK_UPS });
    this.#absent.set(`${level} ${cellKey}`, true);
  }

  /** Forgets all look-ups: the level is in memory now. */
  clear(): void {
    this.#found?.clear();
    this.#absent?.clear();
  }
}
