/** The cube surface without the server. */
import { ALL_SETTLED, type DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { inPart } from '../../../router/errors.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { inlinePool } from '../../analytics/index.ts';
import type { CheckReport, OfflineRequest, Unusable } from '../../query-surface/index.ts';
import { CubeQueryRequest } from '../api/schemas.ts';
import { Catalog } from '../catalog/catalog.ts';
import { resolutionProblems } from '../catalog/check-formulas.ts';
import { tableProblems } from '../catalog/check-tables.ts';
import { readServable } from '../catalog/schema-reader.ts';
import { type CellSet, type DrillthroughResult, openCatalog, yieldsRows } from '../mdx/index.ts';
import { tabular } from '../query/answer/response.ts';
import { prepare, run } from '../query/pipeline.ts';
import { MemberFinder } from '../query/resolve/find-members.ts';
import { analysed, type MembersOf } from '../query/time-series/time-series.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { CubeSettings } from '../settings.ts';
import { NO_WAREHOUSE } from './no-warehouse.ts';

/**
 * Answers one typed request of a cube of a schema, as the served surface does.
 * @throws ServiceError for a mistake in the request, and for what the warehouse refuses
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
  analytics,
}: OfflineRequest<CubeSettings>): Promise<TabularAnswer | Unusable> {
  const asked = parseInput(CubeQueryRequest, request);
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
    const target = await catalog.find(asked.cube, scope);
    const engine = { cache, clock, settings };
    const part = analytics === undefined ? [] : ['query'];
    const prepared = await inPart(part, () => prepare(asked, target, engine));
    const answer = await run(prepared, target, engine, { user: scope.user });
    if (analytics === undefined) return tabular(answer);
    const { request: analysis, onProgress } = analytics;
    const allMembers: MembersOf = (level) => new MemberFinder(target, undefined).all(level);
    return await analysed(answer, prepared.query, analysis, {
      pool: inlinePool,
      signal: undefined,
      onProgress,
      allMembers,
    });
  } finally {
    await catalog.close();
  }
}

/**
 * Checks a cube schema: what it says, and with a warehouse also what it names.
 * @throws what the warehouse throws when it fails
 */
export async function checkSchema(
  text: string,
  { warehouse }: { readonly warehouse?: Warehouse | undefined },
): Promise<CheckReport> {
  const { schema, problems, formulas } = readServable(text);
  const notChecked =
    warehouse === undefined
      ? ['whether its tables, columns and the members that it names exist (give a warehouse with --jdbc)']
      : [];
  if (schema === undefined) return { problems, notChecked };
  const tables = warehouse === undefined ? [] : await tableProblems(schema, warehouse);
  const checked = [...problems, ...formulas, ...tables];
  const mdx = openCatalog({ schema, warehouse: warehouse ?? NO_WAREHOUSE });
  try {
    const names = await resolutionProblems(mdx, {
      hasData: warehouse !== undefined,
      isMissingTables: tables.length > 0,
    });
    return { problems: [...checked, ...names], notChecked };
  } finally {
    await mdx.close();
  }
}

/** Returns the roles that a cube schema declares; none of one that cannot be read. */
export function rolesNamed(text: string): readonly string[] {
  return (readSchema(text).schema?.roles ?? []).map(({ name }) => name);
}

export interface MdxRun {
  readonly mdx: string;
  /** Text of the cube schema. */
  readonly schemaText: string;
  readonly warehouse: () => Promise<Warehouse>;
  /** Roles of the schema; without them everything is seen. */
  readonly roles: readonly string[] | undefined;
  /** Rows of a DRILLTHROUGH at most. */
  readonly maxRows: number;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a statement; `unreadable` is the mistake in the schema. */
export type MdxOutcome =
  | { readonly cells: CellSet }
  | { readonly facts: DrillthroughResult }
  | { readonly unreadable: DatasourceProblem | undefined };

/**
 * Runs an MDX statement on a schema that need not be registered, prepared as the surface serves it, so that the MDX of
 * its answers runs here as it stands.
 * @throws MdxError for a mistake in the statement
 */
export async function runMdx({ mdx, schemaText, warehouse, roles, maxRows, signal }: MdxRun): Promise<MdxOutcome> {
  const { schema, problems } = readServable(schemaText);
  if (schema === undefined) return { unreadable: problems.find(({ severity }) => severity === 'error') };
  const catalog = openCatalog({ schema, warehouse: await warehouse() });
  try {
    return yieldsRows(mdx)
      ? { facts: await catalog.drillthrough(mdx, { roles, maxRows, signal }) }
      : { cells: await catalog.query(mdx, { roles, signal }) };
  } finally {
    await catalog.close();
  }
}
