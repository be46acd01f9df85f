/** Finds the keys that a column may refer to, by the words of names and by counts. */

import { likeness } from '../column-names.ts';
import { type ColumnView, comparisonKind, type TableView } from '../column-views.ts';
import { distinctLowerBound, isCalendar, isMainKey, otherWordsFor } from './profile-evidence.ts';

export class KeyIndex {
  /** By all words of a table or of a key in their order: `product class`. */
  readonly #bySubject = new Map<string, Set<ColumnView>>();
  /** By the first and the last word, and by the words written as one. */
  readonly #byWord = new Map<string, Set<ColumnView>>();
  /** The words of `#byWord` by their first letter: only words with the same first letter are compared. */
  readonly #words = new Map<string, string[]>();
  readonly #byTable = new Map<TableView, ColumnView[]>();
  readonly #alike = new Map<string, readonly string[]>();
  /** Keys of tables by the kind of their values; keys with fewer values first. */
  readonly #byCount = new Map<string, ColumnView[]>();

  constructor(keys: readonly ColumnView[]) {
    for (const key of keys) {
      for (const words of [key.table.subject, key.stem]) {
        if (words.length === 0) continue;
        add(this.#bySubject, words.join(' '), key);
        for (const word of [words[0], words.at(-1), words.join('')])
          if (word !== undefined) add(this.#byWord, word, key);
      }
    }
    for (const key of keys.filter(isMainKey))
      this.#byTable.set(key.table, [...(this.#byTable.get(key.table) ?? []), key]);
    for (const word of this.#byWord.keys()) {
      const letter = word.slice(0, 1);
      const words = this.#words.get(letter);
      if (words === undefined) this.#words.set(letter, [word]);
      else words.push(word);
    }
    const mainKeys = keys.filter((key) => isMainKey(key) || isCalendar(key.table));
    for (const key of mainKeys.toSorted((left, right) => left.column.distinctApprox - right.column.distinctApprox)) {
      const list = this.#byCount.get(comparisonKind(key));
      if (list === undefined) this.#byCount.set(comparisonKind(key), [key]);
      else list.push(key);
    }
  }

  /** Returns at most `limit` keys with names that share words with a column; keys with the same words first. */
  named(from: ColumnView, limit: number): readonly ColumnView[] {
    const targets = new Set<ColumnView>();
    for (const keys of this.#namedSets(from)) {
      for (const key of keys) {
        if (targets.size >= limit) return [...targets];
        targets.add(key);
      }
    }
    return [...targets];
  }

  *#namedSets({ stem, isKeyName, table }: ColumnView): Generator<Iterable<ColumnView>> {
    // `ship to customer`, then `to customer`, then `customer`.
    for (let start = 0; start < stem.length; start++) yield this.#bySubject.get(stem.slice(start).join(' ')) ?? [];
    yield this.#byTable.get(table) ?? [];
    // For a part of a table (`employee_closure`), also the keys of the table itself.
    for (const word of [stem.at(-1), isKeyName ? table.subject[0] : undefined]) {
      for (const like of word === undefined ? [] : this.#wordsLike(word)) yield this.#byWord.get(like) ?? [];
    }
    for (const word of otherWordsFor(stem.at(-1) ?? '')) yield this.#byWord.get(word) ?? [];
  }

  /**
   * Returns the keys of tables that have at least as many values as a column, at most `limit`; keys with the fewest
   * values first.
   */
  countedLike(from: ColumnView, limit: number): readonly ColumnView[] {
    const keys = this.#byCount.get(comparisonKind(from)) ?? [];
    const least = (distinctLowerBound(from) - 2) / 1.5;
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle]?.column.distinctApprox ?? 0) < least) low = middle + 1;
      else high = middle;
    }
    return keys.slice(low, low + limit);
  }

  #wordsLike(word: string): readonly string[] {
    const cached = this.#alike.get(word);
    if (cached !== undefined) return cached;
    const alike = (this.#words.get(word.slice(0, 1)) ?? [])
      .map((other) => ({ other, like: likeness(word, other) }))
      .filter(({ like }) => like > 0)
      .sort((left, right) => right.like - left.like)
      .map(({ other }) => other);
    this.#alike.set(word, alike);
    return alike;
  }
}

function add(index: Map<string, Set<ColumnView>>, word: string, key: ColumnView): void {
  index.set(word, (index.get(word) ?? new Set()).add(key));
}
