import type { Log } from '../../../router/capabilities/log.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { findNamed } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';
import { SCRIPTS_INLINE } from '../scripts/runner.ts';
import type { ScriptRunner } from '../scripts/script.ts';
import type { NamedMember } from './compile/named-member.ts';
import { accessKey, RuntimeCube } from './cube/cube.ts';
import { type DataSnapshot, SnapshotManager } from './cube/data-snapshot.ts';
import { QueryExecution } from './evaluate/query-execution.ts';
import type { EngineWarehouse } from './loading/engine-warehouse.ts';
import type { CellSet } from './query/cell-set.ts';
import { type CheckResult, checkCube, type SchemaMistake } from './query/check-cube.ts';
import { checkScripts } from './query/check-scripts.ts';
import { type CubeDescription, describeCube } from './query/describe.ts';
import { drillthrough } from './query/drillthrough/drillthrough.ts';
import type { DrillthroughResult } from './query/drillthrough/result.ts';
import { type ExecuteOptions, execute } from './query/execute-query.ts';
import { explainCells, type ShownCells } from './query/explain-cells.ts';
import { findMembers, type MemberNames } from './query/find-members-by-name.ts';
import { findRowset } from './query/metadata-rowsets.ts';
import type { Scenario } from './query/scenario/scenario.ts';
import { type FoundMember, type MemberSearch, searchMembers } from './query/search-members-by-text.ts';
import type { MemberRestriction } from './security/member-restriction.ts';
import { mayUse } from './security/role-access.ts';
import type { AggregatedFacts } from './sql/agreement-statement.ts';
import { AggregateAgreement } from './storage/aggregate-agreement.ts';
import type { DrillThrough, Expression, Rowset, Select } from './syntax/ast.ts';
import { MdxError, START } from './syntax/errors.ts';
import { nearest } from './syntax/nearest-candidates.ts';
import { parseExpressionText, parseStatement } from './syntax/parse-statement.ts';

export interface CatalogOptions {
  readonly schema: model.Schema;
  readonly warehouse: EngineWarehouse;
  readonly clock?: (() => number) | undefined;
  readonly limits?: Partial<EngineLimits> | undefined;
  /**
   * A level with more members is read in parts: the children of a member, or the members of a name. The default is
   * 1,000.
   */
  readonly largeLevel?: number | undefined;
  /** Approximate bytes of cells that are kept for later queries. The default is 128 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * Lifetime in milliseconds of data that was read, if the warehouse cannot report that its data changed. The default
   * is 5 minutes.
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * True (the default) if the warehouse computes sets where the result is exact. False is for comparison with
   * evaluation in memory.
   */
  readonly pushdown?: boolean | undefined;
  /** Runs the schema's scripts. By default, the calling thread runs them. */
  readonly scripts?: ScriptRunner | undefined;
  /** Receives aggregate tables that differ from the facts. */
  readonly log?: Pick<Log, 'debug' | 'warn'> | undefined;
  /**
   * True (the default) if aggregate tables of the schema are read in place of the facts where the answer is the same. False is for
   * comparison with the facts.
   */
  readonly aggregates?: boolean | undefined;
}

export interface EngineLimits {
  /** The maximum nesting of calculated members. */
  readonly depth: number;
  /** The maximum number of cells of a result, of tuples of a set, and of stored cells that a query loads. */
  readonly cells: number;
  /** The maximum number of members that are read of a level. */
  readonly members: number;
  /** The maximum duration of a query in milliseconds. */
  readonly timeMs: number;
}

const DEFAULT_LIMITS: EngineLimits = { depth: 200, cells: 2_000_000, members: 1_000_000, timeMs: 60_000 };

/** What a caller may see of a cube. */
export interface AccessOptions {
  /**
   * Roles of the schema. The query sees what any of them sees. An empty list sees nothing. Without a list, everything
   * is visible.
   */
  readonly roles?: readonly string[] | undefined;
  /** Further lists of roles: the query sees only what each of the lists sees, too. */
  readonly withinRoles?: readonly (readonly string[])[] | undefined;
  /** Members that the query is limited to. Each restriction applies. */
  readonly restrictions?: readonly MemberRestriction[] | undefined;
}

export interface QueryOptions extends AccessOptions {
  /** The value of `UserName()`. Empty by default. */
  readonly user?: string | undefined;
  /** Changes that apply to this query only. Nothing is saved. */
  readonly scenario?: Scenario | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Values of the query's parameters by name, as MDX expressions. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** The default is `en-US`. */
  readonly locale?: string | undefined;
}

export interface DrillthroughOptions extends Omit<QueryOptions, 'scenario'> {
  /** The maximum number of rows. MAXROWS of the statement may request fewer. */
  readonly maxRows: number;
  /** The cell of the SELECT: an index on each axis, from 0. Required if the query has several cells. */
  readonly position?: readonly number[] | undefined;
}

/** The cubes of a schema over a warehouse, ready for queries. */
export interface MdxCatalog {
  /**
   * Runs an MDX query.
   *
   * @throws MdxError with line and column for a mistake in the text
   */
  query(mdx: string, options?: QueryOptions): Promise<CellSet>;
  /**
   * Returns the facts behind one cell of a DRILLTHROUGH statement or a SELECT, or the rows of a rowset of `$system`.
   *
   * @throws MdxError as `query` does
   */
  drillthrough(mdx: string, options: DrillthroughOptions): Promise<DrillthroughResult>;
  /**
   * Describes what the roles may see of a cube, without reading from the warehouse.
   *
   * @throws MdxError if the roles see nothing of it
   */
  describe(cube: string, options?: AccessOptions): CubeDescription;
  /**
   * Finds the members of a level whose name or caption contains a text in any letter case. Returns them in hierarchy
   * order.
   */
  searchMembers(
    search: MemberSearch,
    options?: AccessOptions & Pick<QueryOptions, 'signal'>,
  ): Promise<readonly FoundMember[]>;
  /** Finds members by their names, in the order of the names; see `findMembers`. Computes no cell. */
  findMembers(
    names: MemberNames,
    options?: AccessOptions & Pick<QueryOptions, 'signal'>,
  ): Promise<readonly NamedMember[]>;
  /**
   * Resolves every formula of the schema and every member that its roles grant, and reports mistakes. Without data,
   * reports only mistakes that do not depend on data.
   */
  check(options: { readonly hasData: boolean; readonly timeMs: number }): Promise<CheckResult>;
  /** Explains which aggregate tables are read for cells in place of the facts; see `explainCells`. */
  explainCells(cells: ShownCells, options?: AccessOptions & Pick<QueryOptions, 'signal'>): Promise<readonly string[]>;
  /** Resolves when no aggregate table is being compared with the facts. */
  aggregatesCompared(): Promise<void>;
  /** Cancels running queries and drops all data. The catalog cannot be used afterwards. */
  close(): Promise<void>;
  /** The number of SQL statements for cells and combinations so far, over all cubes. */
  readonly statements: number;
  /** Size in memory: approximate bytes of cells, and the number of stored members. */
  readonly kept: { readonly bytes: number; readonly members: number };
}

/** Opens the cubes of a schema over a warehouse. Reads nothing until it is needed. */
export function openCatalog(catalog: CatalogOptions): MdxCatalog {
  const { schema, warehouse, clock = Date.now, limits, scripts = SCRIPTS_INLINE } = catalog;
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const { maxBytes = 128 * 1024 * 1024, maxAgeMs = 5 * 60_000 } = catalog;
  const { aggregates = true, log } = catalog;
  const agreement = new AggregateAgreement({ warehouse, log, groups: () => groupsWithAggregates() });
  const onVersion = (version: string | undefined) => agreement.check(version);
  const snapshots = new SnapshotManager({ warehouse, clock, maxBytes, maxAgeMs, onVersion });
  const cubeOf = (
    snapshot: DataSnapshot,
    query: Pick<Select, 'cube' | 'cubePosition'>,
    { roles, withinRoles = [], restrictions = [] }: AccessOptions,
  ): RuntimeCube => {
    const cube = findNamed(schema.cubes, query.cube);
    const isVisible = (each: model.Cube) => [roles, ...withinRoles].every((names) => mayUse(schema, each, names));
    if (cube === undefined || !isVisible(cube)) {
      const seen = schema.cubes.filter(isVisible).map((each) => each.name);
      throw new MdxError(`MDX cube '${query.cube}' not found`, query.cubePosition, nearest(query.cube, seen));
    }
    const cubes = restrictions.length === 0 ? snapshot.cubes : snapshot.viewerCubes;
    const key = JSON.stringify([cube.name, accessKey({ roles, withinRoles, restrictions })]);
    let opened = cubes.get(key);
    if (opened === undefined) {
      opened = new RuntimeCube({
        schema,
        cube,
        roles,
        withinRoles,
        restrictions,
        warehouse,
        maxMembers: bounds.members,
        maxCells: bounds.cells,
        largeLevel: catalog.largeLevel ?? 1_000,
        pushdown: catalog.pushdown ?? true,
        scripts,
        store: snapshot.store,
        useOf: aggregates ? (table) => agreement.useOf(table, snapshot.version) : undefined,
      });
      cubes.set(key, opened);
    }
    return opened;
  };
  const groupsWithAggregates = (): readonly AggregatedFacts[] => {
    const cubes = aggregates ? schema.cubes.filter(hasAggregates) : [];
    return cubes.flatMap(({ name, measures }) => {
      const { groups } = cubeOf(snapshots.latest, { cube: name, cubePosition: START }, {});
      return [...groups.values()].map((group) => ({ group, measures }));
    });
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
      const { roles, withinRoles = [] } = options;
      const cubes = schema.cubes
        .filter((cube) => [roles, ...withinRoles].every((names) => mayUse(schema, cube, names)))
        .filter((cube) => cube.enabled && rowset.mayHaveCube(cube.name))
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
      const cubes = [...snapshots.latest.openCubes()];
      return { bytes: snapshots.bytes, members: cubes.reduce((sum, cube) => sum + cube.memberCount, 0) };
    },
    async query(mdx, options = {}) {
      const statement = parseStatement(mdx);
      if (statement.kind !== 'select')
        throw new MdxError('A DRILLTHROUGH statement, or a SELECT from $system, yields rows, not cells.');
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
    async explainCells({ cube, ...shown }, options = {}) {
      return snapshots.run(options.signal, (snapshot, signal) =>
        explainCells(cubeOf(snapshot, { cube, cubePosition: START }, options), shown, signal),
      );
    },
    aggregatesCompared: () => agreement.compared(),
    async close() {
      agreement.close();
      snapshots.close();
    },
  };
}

function hasAggregates({ virtual, enabled, measureGroups }: model.Cube): boolean {
  return !virtual && enabled && measureGroups.some(({ aggregates }) => aggregates !== undefined);
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
