/** The semantic models of a tenant: loaded from its datasources, and found by connection and model name. */

import type {
  Datasource,
  DatasourceLoader,
  DatasourceProblem,
  DatasourceStates,
} from '../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { ServedMarks } from '../../router/capabilities/personal-data.ts';
import type { Warehouse, WarehouseAddress, Warehouses } from '../../router/capabilities/warehouse.ts';
import { NotFoundError, ServiceError } from '../../router/errors.ts';
import { PerTenant } from '../../router/per-tenant.ts';
import { match, nearestFirst } from '../query-surface/index.ts';
import { type DocumentReader, inlineReader } from './document-reader.ts';
import { loadModel, type RefreshedRollup } from './load.ts';
import { ReferentialIntegrity } from './query/execute/referential-integrity.ts';
import type { Target } from './query/nodes/query-target.ts';

export interface Entry extends Target {
  readonly integrity: ReferentialIntegrity;
  readonly connection: string;
  /** The roll-ups that the product builds regularly. */
  readonly refreshedRollups: readonly RefreshedRollup[];
  /** The version of the data in which tables of roll-ups are missing; `undefined` where none is. */
  readonly incompleteVersion: string | undefined;
}

export interface CatalogParts {
  readonly warehouses: Warehouses;
  readonly log: Log;
  /** Returns the states of a tenant's datasources that are being loaded. */
  readonly states: (tenant: TenantId) => DatasourceStates;
  readonly dropAnswers: (prefix: readonly string[]) => void;
  /** Reads documents; without it, the calling thread reads them. */
  readonly reader?: DocumentReader | undefined;
}

/** The models of all tenants. Each tenant has its own catalog, so no tenant finds another's models. */
export class Catalogs extends PerTenant<Catalog> {
  constructor(parts: CatalogParts) {
    super((tenant) => new Catalog(tenant, parts));
  }

  /** Lists the models of the caller's tenant; see `Catalog.list`. */
  list({ tenant }: Scope): Promise<readonly Entry[]> {
    return this.of(tenant).list();
  }

  /** Finds a model of the caller's tenant; see `Catalog.find`. */
  find(connection: string, modelName: string | undefined, { tenant }: Scope): Promise<Entry> {
    return this.of(tenant).find(connection, modelName);
  }

  /** Resolves when no join of any model is being checked; see `ReferentialIntegrity`. */
  async ready(): Promise<void> {
    await Promise.all(this.entries().map(([, catalog]) => catalog.ready()));
  }
}

export class Catalog implements DatasourceLoader {
  readonly type = 'SEMANTIC';
  readonly #entries = new Map<string, Entry>();
  readonly #marks = new Map<string, ServedMarks>();
  readonly #warehouses: Warehouses;
  readonly #log: Log;
  readonly #states: DatasourceStates;
  readonly #dropAnswers: (prefix: readonly string[]) => void;
  readonly #reader: DocumentReader;

  readonly #tenant: TenantId;
  #version: object = {};

  constructor(tenant: TenantId, { warehouses, log, states, dropAnswers, reader = inlineReader }: CatalogParts) {
    this.#tenant = tenant;
    this.#reader = reader;
    this.#warehouses = warehouses;
    this.#log = log;
    this.#states = states(tenant);
    this.#dropAnswers = dropAnswers;
  }

  async load(datasource: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
    let warehouse: Warehouse;
    let version: string | undefined;
    let loaded: Awaited<ReturnType<typeof loadModel>>;
    try {
      warehouse = await this.#warehouses.open(datasource.warehouse);
      loaded = await loadModel(datasource, text, warehouse, this.#reader);
      version = await warehouse.dataVersion();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#log.warn({ datasource: datasource.id, err: error }, 'the warehouse of a semantic model failed');
      const isDown = error.kind === 'WAREHOUSE_UNREACHABLE' || error.kind === 'TIMEOUT';
      const message = `The warehouse failed while the model was loaded: ${error.message}`;
      return [{ message, severity: 'error', ...(isDown ? { warehouseIsDown: true } : {}) }];
    }
    const { model, problems, marks, refreshedRollups, leftOutRollups } = loaded;
    if (model === undefined) return problems;
    const taken = this.#find(datasource.name, model.name);
    if (taken !== undefined && taken[0] !== datasource.id) {
      const message = `Another datasource already serves the model ${model.name} of the connection ${datasource.name}.`;
      return [...problems, { message, severity: 'error' }];
    }
    const keyPrefix = this.#keyPrefix(datasource.id);
    this.#dropAnswers(keyPrefix);
    this.#entries.get(datasource.id)?.integrity.close();
    const integrity = new ReferentialIntegrity(model, warehouse, this.#log);
    this.#entries.set(datasource.id, {
      connection: datasource.name,
      model,
      warehouse,
      keyPrefix,
      integrity,
      refreshedRollups,
      incompleteVersion: leftOutRollups.size === 0 ? undefined : version,
    });
    this.#version = {};
    if (marks !== undefined) this.#marks.set(datasource.id, { warehouse: datasource.warehouse, ...marks });
    integrity.check(version);
    return problems;
  }

  unload(id: string): void {
    this.#entries.get(id)?.integrity.close();
    this.#entries.delete(id);
    this.#version = {};
    this.#marks.delete(id);
    this.#dropAnswers(this.#keyPrefix(id));
  }

  /** Returns the version of the served models: another object after each change. */
  get version(): object {
    return this.#version;
  }

  /** Returns the model that a datasource serves; `undefined` where it serves none. */
  served(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Returns the served models by the ids of their datasources. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** Returns the models that a connection serves. */
  servedBy(connection: string): readonly Entry[] {
    return this.#all().filter((entry) => entry.connection === connection);
  }

  /** Opens the warehouse of a datasource. */
  open(address: WarehouseAddress): Promise<Warehouse> {
    return this.#warehouses.open(address);
  }

  /** Returns the columns that the served models mark as personal data, each in its warehouse. */
  personalMarks(): readonly ServedMarks[] {
    return [...this.#marks.values()];
  }

  /** Resolves when no join of any model is being checked; see `ReferentialIntegrity`. */
  async ready(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ integrity }) => integrity.ready()));
  }

  /** Lists all served models, by connection and name. */
  async list(): Promise<readonly Entry[]> {
    await this.#states.allSettled();
    return this.#all();
  }

  #all(): readonly Entry[] {
    return [...this.#entries.values()].toSorted(
      (left, right) => compare(left.connection, right.connection) || compare(left.model.name, right.model.name),
    );
  }

  /**
   * Finds a model, and waits a short while for one that is being loaded. Without a model name the connection must have
   * exactly one.
   *
   * @throws NotFoundError
   * @throws UnavailableError while it is being loaded, or its warehouse does not answer
   */
  async find(connection: string, modelName: string | undefined): Promise<Entry> {
    const named = await this.#connection(connection);
    const models = this.#all()
      .filter((entry) => entry.connection === named)
      .map((entry) => ({ name: entry.model.name, entry }));
    const names = models.map(({ name }) => name);
    const [only, ...others] = models;
    if (modelName === undefined) {
      if (only !== undefined && others.length === 0) return only.entry;
      const message = `The connection ${named} has several models; name one in "model".`;
      throw new NotFoundError(message, { path: ['model'], available: names });
    }
    const modelMatch = match(modelName, models);
    if (modelMatch.kind === 'one') return modelMatch.item.entry;
    throw new NotFoundError(`The connection ${named} has no model "${modelName}".`, {
      path: ['model'],
      available: nearestFirst(modelName, names),
    });
  }

  /** Finds a connection, and returns its name in the datasource's spelling. */
  async #connection(connection: string): Promise<string> {
    this.#states.markUsed();
    const served = () => [...new Set(this.#all().map((entry) => entry.connection))];
    const lookUp = () =>
      match(
        connection,
        served().map((name) => ({ name })),
      );
    let connectionMatch = lookUp();
    if (connectionMatch.kind !== 'one') {
      await this.#states.settled(connection);
      connectionMatch = lookUp();
    }
    if (connectionMatch.kind === 'one') return connectionMatch.item.name;
    throw new NotFoundError(`There is no connection "${connection}".`, {
      path: ['connection'],
      available: nearestFirst(connection, served()),
    });
  }

  #keyPrefix(id: string): readonly string[] {
    return ['semantic', this.#tenant, id];
  }

  #find(connection: string, model: string): readonly [string, Entry] | undefined {
    return [...this.#entries].find(([, entry]) => entry.connection === connection && entry.model.name === model);
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
