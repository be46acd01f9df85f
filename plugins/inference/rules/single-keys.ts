import type { ColumnView, TableView } from '../detect/column-views.ts';
import type { ForeignKey } from '../detect/foreign-keys/find-foreign-keys.ts';

/** The foreign keys of one column each, indexed for the rules. */
export class SingleKeys {
  readonly #byTable = new Map<TableView, ForeignKey[]>();
  readonly #from = new Set<ColumnView>();
  readonly #to = new Set<ColumnView>();
  readonly #referred = new Set<TableView>();

  constructor(keys: readonly ForeignKey[]) {
    for (const key of keys) {
      const [from, to] = [key.from[0], key.to[0]];
      if (from === undefined || to === undefined || key.from.length > 1) continue;
      const ofTable = this.#byTable.get(from.table);
      if (ofTable === undefined) this.#byTable.set(from.table, [key]);
      else ofTable.push(key);
      this.#from.add(from);
      this.#to.add(to);
      if (from.table !== to.table) this.#referred.add(to.table);
    }
  }

  /** Lists the keys that refer from a table. */
  from(table: TableView): readonly ForeignKey[] {
    return this.#byTable.get(table) ?? [];
  }

  /** Lists the tables that are reached from a table, along any path. */
  tablesBehind(table: TableView): readonly TableView[] {
    const reached = new Set<TableView>([table]);
    for (const each of reached)
      for (const {
        to: [key],
      } of this.from(each))
        if (key !== undefined) reached.add(key.table);
    reached.delete(table);
    return [...reached];
  }

  /** Returns whether another table refers to it. */
  isReferred(table: TableView): boolean {
    return this.#referred.has(table);
  }

  isReference(column: ColumnView): boolean {
    return this.#from.has(column);
  }

  isInKey(column: ColumnView): boolean {
    return this.#from.has(column) || this.#to.has(column);
  }
}
