/** Serves the cubes of a tenant: schemas loaded from datasources, each over its warehouse, as each caller may see them. */

import type { Clock } from '../../../router/capabilities/clock.ts';
import type {
  Datasource,
  DatasourceLoader,
  DatasourceProblem,
  DatasourceStates,
} from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { ServedMarks } from '../../../router/capabilities/personal-data.ts';
import type { Warehouse, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { NotFoundError } from '../../../router/errors.ts';
import type { RequestPath } from '../../../router/path.ts';
import { PerTenant } from '../../../router/per-tenant.ts';
import { short } from '../../../router/short.ts';
import { inlineSqlTexts, nearestFirst, type SqlTextPool } from '../../query-surface/index.ts';
import type { CubeReference } from '../api/schemas.ts';
import { type CubeMetadata, cubeMetadata } from '../cube-metadata/cube-metadata.ts';
import { countedGroups } from '../cube-metadata/fact-counts.ts';
import { grantedMeasures } from '../cube-metadata/measure-grants.ts';
import { personalMarksOf } from '../cube-metadata/personal-marks.ts';
import type { CubeEngine } from '../engine/cube-engine.ts';
import type { ThreadedSchema } from '../engine/engine-threads.ts';
import { inlineEngine } from '../engine/inline-engine.ts';
import { type AccessOptions, type EngineLimits, MdxError } from '../mdx/index.ts';
import { translateSchema } from '../schema/dialect-sql.ts';
import type { Cube, Schema } from '../schema/model.ts';
import type { ScriptRunner } from '../scripts/script.ts';
import { bindAggregates } from './bind-aggregates.ts';
import { resolutionProblems } from './broken-formulas.ts';
import { accessOf } from './caller-roles.ts';
import { checkTables } from './check-tables.ts';
import type { CubeTarget } from './cube-target.ts';
import { readServable, type SchemaReader } from './servable-schema.ts';

/** One loaded version of a schema. A new version is a new object, so that data of versions never mixes. */
export interface ServedSchema {
  readonly connection: string;
  readonly catalogName: string;
  readonly schema: Schema;
  readonly engine: CubeEngine;
  readonly warehouse: Warehouse;
  /** The leading parts of cache keys for this version's answers. */
  readonly keyPrefix: readonly string[];
  /** Views by cube and roles. */
  readonly views: Map<string, CubeMetadata | undefined>;
}

interface Loaded extends ServedSchema {
  readonly marks: ServedMarks;
}

export interface CatalogParts {
  readonly warehouses: Warehouses;
  readonly log: Log;
  readonly clock: Clock;
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Reports which datasources of a tenant are being loaded. */
  readonly states: (tenant: TenantId) => DatasourceStates;
  readonly dropAnswers: (prefix: readonly string[]) => void;
  /** Reads schemas. By default, the calling thread does. */
  readonly read?: SchemaReader | undefined;
  /** Reads the SQL of schemas. By default, the calling thread does. */
  readonly sqlTexts?: SqlTextPool | undefined;
  /** Finds the certified answers that cubes cannot give; without it, none is looked for. */
  readonly checkAnswers?: ((targets: readonly CubeTarget[]) => Promise<readonly DatasourceProblem[]>) | undefined;
  /** Runs the scripts of schemas. By default, the calling thread does. */
  readonly scripts?: ScriptRunner | undefined;
  /** Opens the MDX engine of a schema. By default, the calling thread runs it. */
  readonly openEngine?: ((schema: ThreadedSchema) => CubeEngine) | undefined;
}

/** The cubes of all tenants. Each tenant has its own catalog and never sees another tenant's cubes. */
export class Catalogs extends PerTenant<Catalog> {
  constructor(parts: CatalogParts) {
    super((tenant) => new Catalog(tenant, parts));
  }

  /** Lists the cubes of the caller's tenant; see `Catalog.list`. */
  list(scope: Scope): Promise<readonly CubeTarget[]> {
    return this.of(scope.tenant).list(scope);
  }

  /** Finds a cube of the caller's tenant; see `Catalog.find`. */
  find(reference: CubeReference, scope: Scope, path?: RequestPath): Promise<CubeTarget> {
    return this.of(scope.tenant).find(reference, scope, path);
  }

  async close(): Promise<void> {
    for (const [, catalog] of this.entries()) await catalog.close();
  }
}

export class Catalog implements DatasourceLoader {
  readonly type = 'OLAP';
  readonly #loaded = new Map<string, Loaded>();
  readonly #tenant: TenantId;
  readonly #parts: CatalogParts;
  readonly #states: DatasourceStates;
  #versions = 0;
  #version: object = {};

  constructor(tenant: TenantId, parts: CatalogParts) {
    this.#tenant = tenant;
    this.#parts = parts;
    this.#states = parts.states(tenant);
  }

  async load(datasource: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
    const { warehouses, clock, limits, dropAnswers, scripts, checkAnswers, log } = this.#parts;
    const { read = readServable, sqlTexts = inlineSqlTexts, openEngine = inlineEngine } = this.#parts;
    const { schema: written, problems: readProblems, formulas } = await read(text);
    if (written === undefined) return readProblems;
    const warehouse = await warehouses.open(datasource.warehouse);
    const { schema: checked, problems: tables } = await checkTables(written, warehouse);
    const { schema, problems: aggregates } = await bindAggregates(checked, warehouse);
    await translateSchema(schema, warehouse.dialect, sqlTexts);
    const marks = await personalMarksOf(schema, warehouse.dialect.parserName, sqlTexts);

    const catalogName = datasource.schema ?? schema.name;
    const version = String(++this.#versions);
    const before = this.#loaded.get(datasource.id);
    const engine = openEngine({ schema, warehouse, clock, scripts, log, limits });
    const loaded: Loaded = {
      connection: datasource.name,
      catalogName,
      schema,
      engine,
      warehouse,
      marks: { warehouse: datasource.warehouse, ...marks },
      keyPrefix: [...this.#keyPrefix(datasource.id), version],
      views: new Map(),
    };
    this.#loaded.set(datasource.id, loaded);
    this.#version = {};
    dropAnswers(this.#keyPrefix(datasource.id));
    await before?.engine.close();
    const names = await resolutionProblems(engine, { hasData: true, isMissingTables: tables.length > 0 });
    // The schema is served without the broken formulas, so they are warnings.
    const broken = formulas.map((problem): DatasourceProblem => ({ ...problem, severity: 'warning' }));
    const answers = (await checkAnswers?.(wholeTargets(loaded))) ?? [];
    return [...readProblems, ...broken, ...tables, ...aggregates, ...names, ...answers];
  }

  unload(id: string): void {
    const before = this.#loaded.get(id);
    this.#loaded.delete(id);
    this.#version = {};
    this.#parts.dropAnswers(this.#keyPrefix(id));
    before?.engine.close().catch((error: unknown) => {
      this.#parts.log.warn({ datasource: id, err: error }, 'a cube catalog was not closed');
    });
  }

  #keyPrefix(id: string): readonly string[] {
    return ['cube', this.#tenant, id];
  }

  /** Returns the version of the served schemas: another object after each change. */
  get version(): object {
    return this.#version;
  }

  /** Returns what the served schemas mark as personal data, each in its warehouse. */
  personalMarks(): readonly ServedMarks[] {
    return [...this.#loaded.values()].map(({ marks }) => marks);
  }

  async close(): Promise<void> {
    const all = [...this.#loaded.values()];
    this.#loaded.clear();
    for (const { engine } of all) await engine.close();
  }

  /**
   * Lists every cube that the caller may see, in the order of their ids. Waits a short time for cubes that are being
   * loaded.
   */
  async list(scope: Scope): Promise<readonly CubeTarget[]> {
    await this.#states.allSettled();
    return this.#visible(scope);
  }

  /** Lists the visible cubes whose ids match, in the order of their ids. */
  async #visible(scope: Scope, matches: (cubeId: string) => boolean = () => true): Promise<readonly CubeTarget[]> {
    const yieldTurn = cooperativeYield();
    const targets: CubeTarget[] = [];
    for (const loaded of this.#loaded.values()) {
      for (const cube of loaded.schema.cubes) {
        await yieldTurn();
        const target = matches(cubeIdOf(loaded, cube)) ? targetOf(loaded, cube, scope) : undefined;
        if (target !== undefined) targets.push(target);
      }
    }
    return targets.toSorted((left, right) => (left.cubeId < right.cubeId ? -1 : left.cubeId > right.cubeId ? 1 : 0));
  }

  /**
   * Finds the cube that a request names: by its exact id, or else by its id in any letter case if that is unique. Waits
   * a short time for a cube that is being loaded.
   *
   * @param path the place of the name in the request
   * @throws NotFoundError if the cube does not exist, or the caller may not see it
   * @throws UnavailableError while it is being loaded, or if its warehouse does not answer
   */
  async find(reference: CubeReference, scope: Scope, path: RequestPath = ['cube']): Promise<CubeTarget> {
    this.#states.markUsed();
    const requestedId = idOf(reference);
    const [connection = ''] = requestedId.split('/');
    const isServed = ({ connection: served }: Loaded) => served.toLowerCase() === connection.toLowerCase();
    if (![...this.#loaded.values()].some(isServed)) await this.#states.settled(connection);
    const named = await this.#visible(scope, (cubeId) => cubeId.toLowerCase() === requestedId.toLowerCase());
    const exact = named.find(({ cubeId }) => cubeId === requestedId);
    if (exact !== undefined) return exact;
    const [near, ...others] = named;
    if (near !== undefined && others.length === 0) return near;
    const targets = near === undefined ? await this.#visible(scope) : named;
    const message =
      near === undefined
        ? `There is no cube "${short(requestedId)}".`
        : `"${short(requestedId)}" is the id of several cubes, which differ in letter case; write one of them exactly.`;
    throw new NotFoundError(message, {
      path,
      available: nearestFirst(
        requestedId,
        targets.map(({ cubeId }) => cubeId),
      ),
    });
  }
}

function idOf(reference: CubeReference): string {
  if (typeof reference === 'string') return reference.trim().replace(/^\/+|\/+$/g, '');
  const { connectionName, catalog, schema, cubeName } = reference;
  return [connectionName, catalog, schema, cubeName].join('/');
}

function cubeIdOf({ connection, catalogName, schema }: ServedSchema, { name }: Cube): string {
  return [connection, catalogName, schema.name, name].join('/');
}

/** Returns the served cubes of a schema, with everything that is in them. */
export function wholeTargets(served: ServedSchema): readonly CubeTarget[] {
  return served.schema.cubes.flatMap((cube) => targetWith(served, cube, {}) ?? []);
}

/** Returns the cube for the caller; `undefined` if the cube is not served, or the roles may not see it. */
function targetOf(loaded: Loaded, cube: Cube, scope: Scope): CubeTarget | undefined {
  return targetWith(loaded, cube, accessOf(loaded.schema, cube, scope));
}

function targetWith(served: ServedSchema, cube: Cube, access: AccessOptions): CubeTarget | undefined {
  const { connection, catalogName, schema, engine, warehouse, keyPrefix } = served;
  if (!cube.enabled || !cube.visible) return undefined;
  const view = viewOf(served, cube.name, access);
  if (view === undefined || view.measures.length === 0) return undefined;
  const ofCaller = { cubeId: cubeIdOf(served, cube), view, access, countedGroups: new Set(countedGroups(cube)) };
  return { ...ofCaller, connection, catalogName, schemaName: schema.name, engine, warehouse, keyPrefix };
}

/** Returns what the roles see of a cube; `undefined` if they may not see it. */
function viewOf(
  { engine, views, schema }: ServedSchema,
  cube: string,
  { roles, withinRoles }: AccessOptions,
): CubeMetadata | undefined {
  // Restrictions hide members, which metadata do not contain.
  const key = JSON.stringify([cube, roles ?? null, withinRoles ?? []]);
  if (views.has(key)) return views.get(key);
  const view = described(engine, schema, cube, { roles, withinRoles });
  views.set(key, view);
  return view;
}

function described(engine: CubeEngine, schema: Schema, cube: string, access: AccessOptions): CubeMetadata | undefined {
  try {
    return cubeMetadata(engine.describe(cube, access), grantedMeasures(schema, cube, access.roles));
  } catch (error) {
    // The engine reports a cube that the roles may not see as unknown.
    if (error instanceof MdxError) return undefined;
    throw error;
  }
}
