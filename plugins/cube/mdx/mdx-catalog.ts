import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { findNamed } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';
import { SCRIPTS_INLINE } from '../scripts/runner.ts';
import type { ScriptRunner } from '../scripts/script.ts';
import type { NamedMember } from './compile/named-member.ts';
import { RuntimeCube } from './cube/cube.ts';
import { type DataSnapshot, SnapshotManager } from './cube/data-snapshot.ts';
import { QueryExecution } from './evaluate/query-execution.ts';
import { type CheckResult, checkCube, type SchemaMistake } from './query/check-cube.ts';
import { checkScripts } from './query/check-scripts.ts';
import { type CubeDescription, describeCube } from './query/describe.ts';
import { drillthrough } from './query/drillthrough/drillthrough.ts';
import type { DrillthroughResult } from './query/drillthrough/result.ts';
import { type CellSet, type ExecuteOptions, execute } from './query/execute-query.ts';
import { findMembers, type MemberNames } from './query/find-members-by-name.ts';
import { findRowset } from './query/metadata-rowsets.ts';
import type { Scenario } from './query/scenario/scenario.ts';
import { type FoundMember, type MemberSearch, searchMembers } from './query/search-members-by-text.ts';
import { mayUse, rolesKey } from './security/role-access.ts';
import type { DrillThrough, Expression, Rowset, Select } from './syntax/ast.ts';
import { MdxError, START } from './syntax/errors.ts';
import { nearest } from './syntax/nearest-candidates.ts';
import { parseExpressionText, parseStatement } from './syntax/parse-statement.ts';

export interface CatalogOptions {
  readonly schema: model.Schema;
  readonly warehouse: Warehouse;
  readonly clock?: (() => number) | undefined;
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Members beyond which a level is read in parts: the children of a member, a member by its name. 1,000 when absent. */
  readonly largeLevel?: number | undefined;
  /** Bytes of cells kept for later queries, about. 128 MiB when absent. */
  readonly maxBytes?: number | undefined;
  /** Lifetime of read data where the warehouse cannot report whether its data changed. 5 minutes when absent. */
  readonly maxAgeMs?: number | undefined;
  /** True when the warehouse evaluates sets where that is exact. False is for comparison with evaluation in memory. */
  readonly pushdown?: boolean | undefined;
  /** Runs the schema's scripts; without it, the calling thread does. */
  readonly scripts?: ScriptRunner | undefined;
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

const DEFAULT_LIMITS: EngineLimits = { depth: 200, cells: 2_000_000, members: 1_000_000, timeMs: 60_000 };

export interface QueryOptions {
  /** Roles of the schema: what any of them sees is seen. An empty list sees nothing; without a list everything is seen. */
  readonly roles?: readonly string[] | undefined;
  /** Value of `UserName()`; empty when absent. */
  readonly user?: string | undefined;
  /** Changes that the answer is computed with, as if they had been written. Nothing is saved. */
  readonly scenario?: Scenario | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Values of the query's parameters, as MDX expressions, by name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** `en-US` when absent. */
  readonly locale?: string | undefined;
}

export interface DrillthroughOptions extends Omit<QueryOptions, 'scenario'> {
  /** Rows to answer at most; MAXROWS of the statement may ask for fewer. */
  readonly maxRows: number;
  /** Which cell of the SELECT, a 0-based position for each axis; needed where it has more than one. */
  readonly position?: readonly number[] | undefined;
}

/** The cubes of a schema over a warehouse, ready for queries. */
export interface MdxCatalog {
  /**
   * Runs an MDX query.
   *
   * @throws MdxError with line and column for a mistake in it
   */
  query(mdx: string, options?: QueryOptions): Promise<CellSet>;
  /**
   * Returns the facts behind one cell of a DRILLTHROUGH statement or of a SELECT, or the rows of a rowset of `$system`.
   *
   * @throws MdxError as `query` does
   */
  drillthrough(mdx: string, options: DrillthroughOptions): Promise<DrillthroughResult>;
  /**
   * Returns what the roles may see of a cube, without asking the warehouse.
   *
   * @throws MdxError when that is nothing
   */
  describe(cube: string, options?: Pick<QueryOptions, 'roles'>): CubeDescription;
  /** Finds the members of a level, in the order of the hierarchy, whose captions hold a text in any letter case. */
  searchMembers(
    search: MemberSearch,
    options?: Pick<QueryOptions, 'roles' | 'signal'>,
  ): Promise<readonly FoundMember[]>;
  /** Finds members by their names, in the order of the names; see `findMembers`. No cell is computed for it. */
  findMembers(names: MemberNames, options?: Pick<QueryOptions, 'roles' | 'signal'>): Promise<readonly NamedMember[]>;
  /**
   * Resolves every formula of the schema and every member that its roles grant, and reports the ones without a meaning.
   * Without data, it reports only the ones that no data could put right.
   */
  check(options: { readonly hasData: boolean; readonly timeMs: number }): Promise<CheckResult>;
  /** Stops the queries that run and gives up what is kept. The catalog is not asked anything afterwards. */
  close(): Promise<void>;
  /** SQL statements for cells so far, over all cubes. */
  readonly statements: number;
  /** Size in memory: approximate bytes of cells, and the number of stored members. */
  readonly kept: { readonly bytes: number; readonly members: number };
}

/** Opens the cubes of a schema over a warehouse. Nothing is read before it is needed. */
export function openCatalog(catalog: CatalogOptions): MdxCatalog {
  const { schema, warehouse, clock = Date.now, limits, scripts = SCRIPTS_INLINE } = catalog;
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const { maxBytes = 128 * 1024 * 1024, maxAgeMs = 5 * 60_000 } = catalog;
  const snapshots = new SnapshotManager({ warehouse, clock, maxBytes, maxAgeMs });
  const cubeOf = (
    snapshot: DataSnapshot,
    query: Pick<Select, 'cube' | 'cubePosition'>,
    { roles }: QueryOptions,
  ): RuntimeCube => {
    const cube = findNamed(schema.cubes, query.cube);
    if (cube === undefined || !mayUse(schema, cube, roles)) {
      const seen = schema.cubes.filter((each) => mayUse(schema, each, roles)).map((each) => each.name);
      throw new MdxError(`MDX cube '${query.cube}' not found`, query.cubePosition, nearest(query.cube, seen));
    }
    const key = JSON.stringify([cube.name, rolesKey(roles)]);
    let opened = snapshot.cubes.get(key);
    if (opened === undefined) {
      opened = new RuntimeCube({
        schema,
        cube,
        roles,
        warehouse,
        maxMembers: bounds.members,
        maxCells: bounds.cells,
        largeLevel: catalog.largeLevel ?? 1_000,
        pushdown: catalog.pushdown ?? true,
        scripts,
        store: snapshot.store,
      });
      snapshot.cubes.set(key, opened);
    }
    return opened;
  };
  const executeOptions = (options: QueryOptions): ExecuteOptions => ({
    limits: { depth: bounds.depth, cells: bounds.cells, deadline: Date.now() + bounds.timeMs },
    signal: options.signal,
    parameters: parametersOf(options.parameters ?? {}),
    clock,
    locale: options.locale ?? 'en-US',
    user: options.user,
    scenario: options.scenario,
  });
  const rowsetOf = (statement: Rowset, options: DrillthroughOptions): Promise<DrillthroughResult> => {
    const rowset = findRowset(statement);
    const deadline = Date.now() + bounds.timeMs;
    return snapshots.run(options.signal, async (snapshot, signal) => {
      const cubes = schema.cubes
        .filter((cube) => cube.enabled && mayUse(schema, cube, options.roles) && rowset.mayHaveCube(cube.name))
        .map(({ name }) => cubeOf(snapshot, { cube: name, cubePosition: START }, options));
      const [first] = cubes;
      const rows = () => rowset.rows({ schema, cubes: () => cubes }, options.maxRows);
      const listed =
        first === undefined ? rows() : await new QueryExecution(first, signal, deadline).runUntilLoaded(rows);
      return { columns: rowset.columns, ...listed };
    });
  };
  return {
    get statements() {
      return snapshots.statements;
    },
    get kept() {
      const cubes = [...snapshots.latest.cubes.values()];
      return { bytes: snapshots.bytes, members: cubes.reduce((sum, cube) => sum + cube.memberCount, 0) };
    },
    async query(mdx, options = {}) {
      const statement = parseStatement(mdx);
      if (statement.kind !== 'select')
        throw new MdxError('A DRILLTHROUGH statement, or one of $system, yields rows, not cells.');
      return snapshots.run(options.signal, (snapshot, signal) =>
        execute(cubeOf(snapshot, statement, options), statement, executeOptions({ ...options, signal })),
      );
    },
    async drillthrough(mdx, options) {
      const parsed = parseStatement(mdx);
      if (parsed.kind === 'rowset') return rowsetOf(parsed, options);
      const statement = asDrillthrough(parsed);
      return snapshots.run(options.signal, (snapshot, signal) =>
        drillthrough(
          cubeOf(snapshot, statement.query, options),
          statement,
          executeOptions({ ...options, signal }),
          options,
        ),
      );
    },
    describe(cube, options = {}) {
      return describeCube(cubeOf(snapshots.latest, { cube, cubePosition: START }, options));
    },
    async searchMembers(search, options = {}) {
      return snapshots.run(options.signal, (snapshot, signal) =>
        searchMembers(cubeOf(snapshot, { cube: search.cube, cubePosition: START }, options), search, signal),
      );
    },
    async findMembers({ cube, names }, options = {}) {
      return snapshots.run(options.signal, (snapshot, signal) =>
        findMembers(cubeOf(snapshot, { cube, cubePosition: START }, options), names, signal),
      );
    },
    async check({ hasData, timeMs }) {
      const deadline = Date.now() + timeMs;
      const yieldTurn = cooperativeYield();
      const mistakes = async (snapshot: DataSnapshot, signal: AbortSignal | undefined) => {
        const allMistakes: SchemaMistake[] = [...(await checkScripts(schema, scripts))];
        let failure: CheckResult['failure'];
        for (const { name, enabled } of schema.cubes) {
          if (!enabled) continue;
          const cube = cubeOf(snapshot, { cube: name, cubePosition: START }, {});
          const checked = await checkCube(cube, { hasData, deadline, signal, yieldTurn });
          allMistakes.push(...checked.mistakes);
          failure ??= checked.failure;
        }
        return { mistakes: allMistakes, failure };
      };
      return hasData ? snapshots.run(undefined, mistakes) : mistakes(snapshots.latest, undefined);
    },
    async close() {
      snapshots.close();
    },
  };
}

function asDrillthrough(statement: DrillThrough | Select): DrillThrough {
  if (statement.kind === 'drillthrough') return statement;
  return { kind: 'drillthrough', maxRows: undefined, firstRowset: undefined, query: statement, returns: [] };
}

function parametersOf(values: Readonly<Record<string, string>>): ReadonlyMap<string, Expression> {
  return new Map(Object.entries(values).map(([name, mdx]) => [name.toLowerCase(), parameterValue(name, mdx)]));
}

function parameterValue(name: string, mdx: string): Expression {
  try {
    return parseExpressionText(mdx);
  } catch (error) {
    if (!(error instanceof MdxError)) throw error;
    throw new MdxError(`The value of parameter '${name}': ${error.message}`, undefined, undefined, [
      'parameters',
      name,
    ]);
  }
}
