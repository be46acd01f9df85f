import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';

/**
 * FoodMart's sales of 1997 and 1998 as trees and rows, read by SQL. Random queries are computed from them a second
 * time.
 */

export interface Node {
  readonly name: string;
  readonly uniqueName: string;
  readonly parent: Node | undefined;
  readonly depth: number;
  readonly children: Node[];
}

export interface Fact {
  /** Names from the topmost level down, for each hierarchy in the order of `HIERARCHIES`. */
  readonly paths: readonly (readonly string[])[];
  readonly units: number;
  readonly count: number;
}

export interface Tree {
  readonly root: Node;
  /** Names of levels, topmost first. Depth 0 is the root. */
  readonly levels: readonly string[];
  readonly uniqueName: string;
  readonly hasAll: boolean;
  /** Nodes by depth, in the order of the tree. */
  readonly byDepth: readonly (readonly Node[])[];
}

interface HierarchySource {
  readonly uniqueName: string;
  readonly all: string | undefined;
  readonly levels: readonly string[];
  readonly columns: readonly string[];
  readonly members: string;
}

const HIERARCHIES: readonly HierarchySource[] = [
  {
    uniqueName: '[Store]',
    all: 'All Stores',
    levels: ['Store Country', 'Store State', 'Store City', 'Store Name'],
    columns: ['s.store_country', 's.store_state', 's.store_city', 's.store_name'],
    members: 'FROM store s',
  },
  {
    uniqueName: '[Time]',
    all: undefined,
    levels: ['Year', 'Quarter', 'Month'],
    columns: ['t.the_year', 't.quarter', 't.month_of_year'],
    members: 'FROM time_by_day t',
  },
  {
    uniqueName: '[Gender]',
    all: 'All Gender',
    levels: ['Gender'],
    columns: ['c.gender'],
    members: 'FROM customer c',
  },
  {
    uniqueName: '[Education Level]',
    all: 'All Education Levels',
    levels: ['Education Level'],
    columns: ['c.education'],
    members: 'FROM customer c',
  },
  {
    uniqueName: '[Marital Status]',
    all: 'All Marital Status',
    levels: ['Marital Status'],
    columns: ['c.marital_status'],
    members: 'FROM customer c',
  },
];

const FACTS = `FROM sales_fact_1997 f JOIN store s USING (store_id) JOIN time_by_day t USING (time_id)
  JOIN customer c USING (customer_id)`;

export interface FoodmartRows {
  readonly trees: readonly Tree[];
  readonly facts: readonly Fact[];
}

const MAX_ROWS = 200_000;

/** Reads the trees and the facts. Facts are added up to the lowest levels that queries name. */
export async function readFoodmart(warehouse: Warehouse): Promise<FoodmartRows> {
  const trees: Tree[] = [];
  for (const source of HIERARCHIES) {
    const keys = source.columns.join(', ');
    const sql = `SELECT DISTINCT ${keys} ${source.members} ORDER BY ${source.columns.map((each) => `${each} NULLS FIRST`).join(', ')}`;
    trees.push(treeOf(source, await queryRows(warehouse, sql)));
  }
  const columns = HIERARCHIES.flatMap((each) => each.columns).join(', ');
  const sql = `SELECT ${columns}, CAST(sum(f.unit_sales) AS INTEGER), count(*) ${FACTS} GROUP BY ${columns}`;
  const facts = (await queryRows(warehouse, sql)).map((row): Fact => {
    const rest = [...row];
    const paths = HIERARCHIES.map(({ columns: keyColumns }) => rest.splice(0, keyColumns.length).map(nameOf));
    return { paths, units: Number(rest[0]), count: Number(rest[1]) };
  });
  return { trees, facts };
}

function nameOf(value: unknown): string {
  return value === null ? '#null' : String(value);
}

async function queryRows(warehouse: Warehouse, sql: string): Promise<readonly (readonly unknown[])[]> {
  const { values, rowCount } = await warehouse.query({ sql, parameters: [] }, { maxRows: MAX_ROWS });
  return Array.from({ length: rowCount }, (_, row) => values.map((column) => column[row] ?? null));
}

function treeOf(source: HierarchySource, rows: readonly (readonly unknown[])[]): Tree {
  const { uniqueName, all, levels } = source;
  const root: Node = {
    name: all ?? '',
    uniqueName: `${uniqueName}.[${all ?? ''}]`,
    parent: undefined,
    depth: 0,
    children: [],
  };
  for (const row of rows) {
    let at = root;
    for (const value of row) {
      const name = nameOf(value);
      let next = at.children.find((child) => child.name === name);
      if (next === undefined) {
        const above = at.parent === undefined ? uniqueName : at.uniqueName;
        next = { name, uniqueName: `${above}.[${name}]`, parent: at, depth: at.depth + 1, children: [] };
        at.children.push(next);
      }
      at = next;
    }
  }
  return { root, levels: ['(All)', ...levels], uniqueName, hasAll: all !== undefined, byDepth: depthsOf(root) };
}

function depthsOf(root: Node): readonly (readonly Node[])[] {
  const depths: (readonly Node[])[] = [];
  for (let depth: readonly Node[] = [root]; depth.length > 0; depth = depth.flatMap(({ children }) => children)) {
    depths.push(depth);
  }
  return depths;
}

/** Reads the employees of the cube HR, each below their leader. The depths of this tree are its levels. */
export async function readEmployees(warehouse: Warehouse): Promise<Tree> {
  const root: Node = {
    name: 'All Employees',
    uniqueName: '[Employees].[All Employees]',
    parent: undefined,
    depth: 0,
    children: [],
  };
  const rows = await queryRows(
    warehouse,
    'SELECT employee_id, supervisor_id, full_name FROM employee ORDER BY employee_id',
  );
  const add = (parent: Node, supervisor: number): void => {
    for (const [id, above, name] of rows) {
      if (Number(above) !== supervisor) continue;
      const prefix = parent === root ? '[Employees]' : parent.uniqueName;
      const uniqueName = `${prefix}.[${String(name)}]`;
      const node: Node = { name: String(name), uniqueName, parent, depth: parent.depth + 1, children: [] };
      parent.children.push(node);
      add(node, Number(id));
    }
  };
  add(root, 0);
  return { root, levels: [], uniqueName: '[Employees]', hasAll: true, byDepth: depthsOf(root) };
}

/** Returns the names of a node and its ancestors, topmost first, without the root. */
export function pathOf(node: Node): readonly string[] {
  return node.parent === undefined ? [] : [...pathOf(node.parent), node.name];
}
