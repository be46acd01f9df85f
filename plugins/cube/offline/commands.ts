/** Runs the cube surface without the server. */
import { ALL_SETTLED, type DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { inPart } from '../../../router/errors.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { inlinePool } from '../../analytics/index.ts';
import {
  type CheckReport,
  inlineSqlTexts,
  type OfflineRequest,
  type SqlTextPool,
  type Unusable,
} from '../../query-surface/index.ts';
import { CubeQueryRequest } from '../api/schemas.ts';
import { bindAggregates } from '../catalog/bind-aggregates.ts';
import { resolutionProblems } from '../catalog/broken-formulas.ts';
import { Catalog, wholeTargets } from '../catalog/catalog.ts';
import { checkTables } from '../catalog/check-tables.ts';
import { readServable } from '../catalog/servable-schema.ts';
import { inlineEngine } from '../engine/inline-engine.ts';
import { type CellSet, type DrillthroughResult, openCatalog, yieldsRows } from '../mdx/index.ts';
import { tabular } from '../query/answer/response.ts';
import { brokenAnswers } from '../query/certified-answers.ts';
import { prepare, run } from '../query/pipeline.ts';
import { MemberFinder } from '../query/resolve/find-members.ts';
import { othersQuery } from '../query/resolve/others.ts';
import type { ResolvedQuery } from '../query/resolve/resolved-query.ts';
import { type MembersOf, withAnalytics } from '../query/time-series/time-series.ts';
import { translateSchema } from '../schema/dialect-sql.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { CubeSettings } from '../settings.ts';
import { NO_WAREHOUSE } from './no-warehouse.ts';

/**
 * Answers one typed request of a cube in a schema, as the served surface does.
 *
 * @throws ServiceError for a mistake in the request, or an error of the warehouse
 */
export async function answerOffline({
  request,
  datasource,
  text,
  warehouses,
  cache,
  scope,
  settings,
  log,
  others,
  analytics,
}: OfflineRequest<CubeSettings>): Promise<TabularAnswer | Unusable> {
  const parsedRequest = parseInput(CubeQueryRequest, request);
  const clock = Date.now;
  const catalog = new Catalog(scope.tenant, {
    warehouses,
    log,
    clock,
    states: () => ALL_SETTLED,
    dropAnswers: () => undefined,
  });
  try {
    const problems = await catalog.load(datasource, text);
    const first = problems.find(({ severity }) => severity === 'error');
    if (first !== undefined)
      return { unusable: `The cube schema of ${datasource.name} cannot be used: ${first.message}` };
    const target = await catalog.find(parsedRequest.cube, scope);
    const engine = { cache, clock, settings };
    // A command that is interrupted ends with its process.
    const signal = undefined;
    const part = analytics === undefined ? [] : ['query'];
    const adapt =
      others === undefined ? undefined : (query: ResolvedQuery) => othersQuery(query, others, target, signal);
    const prepared = await inPart(part, () => prepare(parsedRequest, target, engine, { signal, adapt }));
    const answer = await run(prepared, target, engine, { user: scope.user, signal });
    if (analytics === undefined) return tabular(answer);
    const { request: analysis, onProgress } = analytics;
    const allMembers: MembersOf = (level) => new MemberFinder(target, undefined).all(level);
    return await withAnalytics(answer, prepared.query, analysis, {
      pool: inlinePool,
      signal,
      onProgress,
      allMembers,
    });
  } finally {
    await catalog.close();
  }
}

/** The names of a schema that no datasource serves. */
const UNREGISTERED = { connection: '', catalogName: '', keyPrefix: [] };

export interface CheckOptions {
  readonly warehouse?: Warehouse | undefined;
  /** Reads the SQL of the schema. By default, the calling thread does. */
  readonly sqlTexts?: SqlTextPool | undefined;
}

/**
 * Checks a cube schema, and with a warehouse also the names of tables, columns and members.
 *
 * @throws the error of a warehouse that fails
 */
export async function checkSchema(
  text: string,
  { warehouse, sqlTexts = inlineSqlTexts }: CheckOptions,
): Promise<CheckReport> {
  const { schema, problems, formulas } = readServable(text);
  const notChecked =
    warehouse === undefined
      ? ['whether its tables, columns and the members that it names exist (give a warehouse with --jdbc)']
      : [];
  if (schema === undefined) return { problems, notChecked };
  const tables = warehouse === undefined ? [] : (await checkTables(schema, warehouse)).problems;
  const aggregates = warehouse === undefined ? [] : (await bindAggregates(schema, warehouse)).problems;
  const checked = [...problems, ...formulas, ...tables, ...aggregates];
  if (warehouse !== undefined) await translateSchema(schema, warehouse.dialect, sqlTexts);
  const engine = inlineEngine({ schema, warehouse: warehouse ?? NO_WAREHOUSE });
  try {
    const names = await resolutionProblems(engine, {
      hasData: warehouse !== undefined,
      isMissingTables: tables.length > 0,
    });
    const answers =
      warehouse === undefined
        ? []
        : await brokenAnswers(
            wholeTargets({ ...UNREGISTERED, schema, engine, warehouse, views: new Map() }),
            Date.now(),
          );
    return { problems: [...checked, ...names, ...answers], notChecked };
  } finally {
    await engine.close();
  }
}

/** Returns the roles that a cube schema declares; none if it cannot be read. */
export function rolesNamed(text: string): readonly string[] {
  return (readSchema(text).schema?.roles ?? []).map(({ name }) => name);
}

export interface MdxRun {
  readonly mdx: string;
  /** The text of the cube schema. */
  readonly schemaText: string;
  readonly warehouse: () => Promise<Warehouse>;
  /** Roles of the schema. Without them, everything is visible. */
  readonly roles: readonly string[] | undefined;
  /** Maximum of rows of a DRILLTHROUGH. */
  readonly maxRows: number;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a statement. `unreadable` is the mistake in the schema. */
export type MdxOutcome =
  | { readonly cells: CellSet }
  | { readonly facts: DrillthroughResult }
  | { readonly unreadable: DatasourceProblem | undefined };

/**
 * Runs an MDX statement on a schema that need not be registered. Prepares the schema as the surface does, so that the
 * MDX of its answers runs here unchanged.
 *
 * @throws MdxError for a mistake in the statement
 */
export async function runMdx({ mdx, schemaText, warehouse, roles, maxRows, signal }: MdxRun): Promise<MdxOutcome> {
  const { schema, problems } = readServable(schemaText);
  if (schema === undefined) return { unreadable: problems.find(({ severity }) => severity === 'error') };
  const opened = await warehouse();
  const { schema: typed } = await checkTables(schema, opened);
  await translateSchema(typed, opened.dialect, inlineSqlTexts);
  const catalog = openCatalog({ schema: typed, warehouse: opened });
  try {
    return yieldsRows(mdx)
      ? { facts: await catalog.drillthrough(mdx, { roles, maxRows, signal }) }
      : { cells: await catalog.query(mdx, { roles, signal }) };
  } finally {
    await catalog.close();
  }
}
