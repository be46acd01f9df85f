import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import type * as model from '../schema/model.ts';
import { RuntimeCube } from './catalog/cube.ts';
import { MdxError } from './errors.ts';
import { type CellSet, execute } from './execute.ts';
import type { Expression } from './parser/ast.ts';
import { parseExpressionText, parseStatement } from './parser/parse.ts';

export type { Value } from './catalog/member.ts';
export { MdxError, MdxEvaluationError, MdxLimitError, type Position } from './errors.ts';
export type { Cell, CellSet, ResultAxis } from './execute.ts';

export interface CatalogOptions {
  readonly schema: model.Schema;
  readonly warehouse: Warehouse;
  readonly clock?: (() => number) | undefined;
  readonly limits?: Partial<EngineLimits> | undefined;
}

export interface EngineLimits {
  /** Calculated members inside each other at most. */
  readonly depth: number;
  /** Cells of a result, tuples of a set, and stored cells kept, at most. */
  readonly cells: number;
  /** Members of a level at most. */
  readonly members: number;
  /** How long a query may take, in milliseconds. */
  readonly timeMs: number;
}

export const DEFAULT_LIMITS: EngineLimits = { depth: 200, cells: 2_000_000, members: 1_000_000, timeMs: 60_000 };

export interface QueryOptions {
  readonly role?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Values of the query's parameters, as MDX expressions, by name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** `en-US` when absent. */
  readonly locale?: string | undefined;
}

/** The cubes of a schema over a warehouse, ready for queries. */
export interface MdxCatalog {
  /** Runs an MDX query. Throws `MdxError` with line and column for a mistake in it. */
  query(mdx: string, options?: QueryOptions): Promise<CellSet>;
  /** SQL statements for cells so far, over all cubes. */
  readonly statements: number;
}

export function openCatalog({ schema, warehouse, clock = Date.now, limits }: CatalogOptions): MdxCatalog {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const cubes = new Map<string, RuntimeCube>();
  const cubeOf = (name: string, role: string | undefined): RuntimeCube => {
    const cube = schema.cubes.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (cube === undefined) {
      throw new MdxError(
        `MDX cube '${name}' not found`,
        undefined,
        schema.cubes.map((each) => each.name),
      );
    }
    const key = JSON.stringify([cube.name, role ?? null]);
    let opened = cubes.get(key);
    if (opened === undefined) {
      opened = new RuntimeCube({ schema, cube, role, warehouse, maxMembers: bounds.members, maxCells: bounds.cells });
      cubes.set(key, opened);
    }
    return opened;
  };
  return {
    get statements() {
      return [...cubes.values()].reduce((sum, { cells }) => sum + cells.statements, 0);
    },
    async query(mdx, options = {}) {
      const statement = parseStatement(mdx);
      if (statement.kind === 'drillthrough') throw new MdxError('A DRILLTHROUGH statement yields rows, not cells.');
      return execute(cubeOf(statement.cube, options.role), statement, {
        limits: { depth: bounds.depth, cells: bounds.cells, deadline: Date.now() + bounds.timeMs },
        signal: options.signal,
        parameters: parametersOf(options.parameters ?? {}),
        clock,
        locale: options.locale ?? 'en-US',
      });
    },
  };
}

function parametersOf(values: Readonly<Record<string, string>>): ReadonlyMap<string, Expression> {
  return new Map(Object.entries(values).map(([name, mdx]) => [name.toLowerCase(), parseExpressionText(mdx)]));
}
