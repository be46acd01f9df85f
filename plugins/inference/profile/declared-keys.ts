/** The foreign keys that tables declare, as places in a profile. Pure. */
import type { DeclaredKey } from '../../../router/capabilities/warehouse.ts';
import type { KeyPair, KeySide } from '../detect/foreign-keys/pair-places.ts';
import type { Table } from '../schemas.ts';

/** A table of a profile, with the keys that it declares. */
export interface Declaring {
  readonly table: Table;
  readonly keys: readonly DeclaredKey[];
}

/** Returns the declared pairs between the tables of a profile; leaves out references to other tables. */
export function declaredPairs(tables: readonly Table[], declaring: readonly Declaring[]): readonly KeyPair[] {
  const places = new Map(tables.map(({ schema, name }, place) => [JSON.stringify([schema, name]), place] as const));
  const sideOf = (schema: string, name: string, names: readonly string[]): KeySide | undefined => {
    const place = places.get(JSON.stringify([schema, name]));
    const table = place === undefined ? undefined : tables[place];
    if (place === undefined || table === undefined) return undefined;
    const columns = names.map((column) => table.columns.findIndex((each) => each.name === column));
    return columns.includes(-1) ? undefined : { table: place, columns };
  };
  return declaring.flatMap(({ table, keys }) =>
    keys.flatMap(({ columns, refSchema, refTable, refColumns }): KeyPair[] => {
      const [from, to] = [sideOf(table.schema, table.name, columns), sideOf(refSchema, refTable, refColumns)];
      // It is looked up, as not every engine enforces declared keys; it stays the key whatever the result.
      return from === undefined || to === undefined ? [] : [{ from, to, settles: 0, isDeclared: true }];
    }),
  );
}
