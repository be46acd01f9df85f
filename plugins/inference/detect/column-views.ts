/** Prepares a profile for the detectors: each column with its words, type family and range. Pure. */

import { nameWords } from '../../../router/name-words.ts';
import type { Column, Table } from '../schemas.ts';
import { splitKeyName, tableSubject } from './column-names.ts';
import { familyOf, type TypeFamily } from './type-family.ts';

export interface ColumnView {
  readonly table: TableView;
  readonly column: Column;
  readonly name: string;
  readonly family: TypeFamily;
  /** All words of the name. */
  readonly words: readonly string[];
  /** Words of the name without the words for a key. */
  readonly stem: readonly string[];
  readonly isKeyName: boolean;
  readonly position: number;
  /** True where no value occurs twice, as far as the profile shows. */
  readonly isUnique: boolean;
  /** The least and the greatest value as numbers (days for dates); `undefined` if they are unknown. */
  readonly range: readonly [least: number, greatest: number] | undefined;
}

export interface TableView {
  readonly table: Table;
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnView[];
  /** All words of the name. */
  readonly words: readonly string[];
  /** Words for the rows of the table. */
  readonly subject: readonly string[];
  /**
   * True if one of its unique columns is named like a key. That column is the key; otherwise the first column may be.
   */
  readonly hasNamedKey: boolean;
}

/** Returns the tables of a profile. */
export function viewTables(profile: { readonly tables: readonly Table[] }): readonly TableView[] {
  // Names repeat from table to table, and types anyway.
  const keyName = memoize(splitKeyName);
  const family = memoize(familyOf);
  const words = memoize(nameWords);
  return profile.tables.map((table) => {
    const columns: ColumnView[] = [];
    const named = table.columns.some((column) => keyName(column.name).isKeyName && isUnique(table, column));
    const view: TableView = {
      table,
      schema: table.schema,
      name: table.name,
      rows: table.rowCount,
      columns,
      words: words(table.name),
      subject: tableSubject(table.name),
      hasNamedKey: named,
    };
    for (const [position, column] of table.columns.entries()) {
      columns.push({
        table: view,
        column,
        name: column.name,
        words: words(column.name),
        family: family(column.type),
        range: rangeOf(column, family(column.type)),
        ...keyOfType(keyName(column.name), family(column.type)),
        position,
        isUnique: isUnique(table, column),
      });
    }
    return view;
  });
}

/** Reads whole numbers called `ship_via` or `handled_by` as keys; texts that are called so may be anything. */
function keyOfType(name: ReturnType<typeof splitKeyName>, family: TypeFamily): ReturnType<typeof splitKeyName> {
  const { stem, isKeyName } = name;
  const isAgent = !isKeyName && family === 'integer' && stem.length > 1 && ['by', 'via'].includes(stem.at(-1) ?? '');
  return isAgent ? { stem: stem.slice(0, -1), isKeyName: true } : name;
}

function memoize<Out>(work: (text: string) => Out): (text: string) => Out {
  const results = new Map<string, Out>();
  return (text) => {
    const result = results.get(text) ?? work(text);
    results.set(text, result);
    return result;
  };
}

/**
 * Returns whether a column is unique. Counts may be approximate (a few percent off), so verified keys win where there
 * are some.
 */
function isUnique({ rowCount, keys }: Table, { name, distinctApprox, nulls = 0 }: Column): boolean {
  if (rowCount === 0 || nulls > 0) return false;
  if (keys !== undefined) return keys.some((key) => key.length === 1 && key[0] === name);
  return distinctApprox >= rowCount;
}

/** Returns whether two columns are of one kind, so that their values can be the same. */
export function areComparable(a: ColumnView, b: ColumnView): boolean {
  return comparisonKind(a) === comparisonKind(b) && !['other', 'boolean', 'decimal'].includes(comparisonKind(a));
}

/**
 * Returns the kind as which values are compared. A UUID is written like a text, but engines compare it with UUIDs
 * only.
 */
export function comparisonKind({ family, column }: ColumnView): string {
  if (family === 'timestamp') return 'date';
  return family === 'text' && /^(nullable\()?uuid\b/i.test(column.type) ? 'uuid' : family;
}

function rangeOf({ min, max }: Column, family: TypeFamily): readonly [least: number, greatest: number] | undefined {
  if (min === undefined || max === undefined || min === null || max === null) return undefined;
  const isDate = family === 'date' || family === 'timestamp';
  const toNumber = (value: string | number | boolean): number =>
    isDate ? Date.parse(String(value)) / 86_400_000 : Number(value);
  const range = [toNumber(min), toNumber(max)] as const;
  return range.every(Number.isFinite) ? range : undefined;
}
