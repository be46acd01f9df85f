/** The columns of a saved connection that served models mark as personal data: no value of them is shown. */
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { PersonalColumn, ServedMarks } from '../../../router/capabilities/personal-data.ts';
import type {
  TableInfo,
  TableName,
  Warehouse,
  WarehouseAddress,
  Warehouses,
} from '../../../router/capabilities/warehouse.ts';

/** A table, and whether it is a view, if that is known. */
export type NamedTable = TableName & Partial<Pick<TableInfo, 'kind'>>;

/** Returns the marks of a tenant's served datasources; resolves once the datasources of the start are read. */
export type MarksOf = (tenant: TenantId) => Promise<readonly ServedMarks[]>;

export interface MarkedConnections {
  readonly marksOf: MarksOf;
  readonly warehouses: Pick<Warehouses, 'isSame'>;
}

/** Returns the personal columns of an address's warehouse, by the marks of the tenant's served models. */
export async function personalColumnsOf(
  { marksOf, warehouses }: MarkedConnections,
  tenant: TenantId,
  address: WarehouseAddress,
): Promise<PersonalColumns> {
  const marked = (await marksOf(tenant)).filter(({ personal }) => personal.length > 0);
  const here: ServedMarks[] = [];
  for (const each of marked) if (await warehouses.isSame(each.warehouse, address)) here.push(each);
  return new PersonalColumns(here);
}

export class PersonalColumns {
  readonly #personal: readonly PersonalColumn[];
  readonly #tables: readonly TableName[];

  constructor(marks: readonly ServedMarks[]) {
    this.#personal = marks.flatMap(({ personal }) => personal);
    this.#tables = marks.flatMap(({ tables }) => tables);
  }

  get isEmpty(): boolean {
    return this.#personal.length === 0;
  }

  /**
   * Returns whether a column of a table is personal data. A view may show any column under another name: all of one are
   * that no served model names, in a warehouse with marks.
   */
  has(table: NamedTable, column: string): boolean {
    if (this.isEmpty) return false;
    const isView = table.kind !== undefined && table.kind !== 'TABLE';
    if (isView && !this.#tables.some((each) => isTable(each, table))) return true;
    return this.#personal.some(
      (each) =>
        (each.name === undefined || isName(each.name, column)) &&
        // A view that a model names shows a column of a marked table under its own name, too.
        (each.table === undefined || isTable(each.table, table) || (isView && each.name !== undefined)),
    );
  }

  /**
   * Returns a function that finds a table with its kind, so that views are known; asks the warehouse only where
   * something is marked.
   */
  async kindsIn(warehouse: Warehouse, signal: AbortSignal | undefined): Promise<(table: TableName) => NamedTable> {
    const tables = this.isEmpty ? [] : await warehouse.tables(signal === undefined ? {} : { signal });
    return (table) => tables.find((each) => isTable(each, table)) ?? table;
  }
}

/** Compares names as engines find them: by any letter case; a table without a schema may be of any. */
function isTable(one: TableName, other: TableName): boolean {
  const schemas = [one.schema ?? '', other.schema ?? ''];
  return isName(one.name, other.name) && (schemas.includes('') || isName(schemas[0] ?? '', schemas[1] ?? ''));
}

function isName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
