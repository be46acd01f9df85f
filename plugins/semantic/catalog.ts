/** The semantic models that are served: loaded from datasources, found by connection and model name. */
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Datasource, DatasourceLoader, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Warehouse, Warehouses } from '../../router/capabilities/warehouse.ts';
import { NotFoundError, ServiceError } from '../../router/errors.ts';
import { match, nearestFirst } from '../query-surface/index.ts';
import { loadModel } from './load.ts';
import { Integrity } from './query/integrity.ts';
import type { Target } from './query/pipeline.ts';

export interface Entry extends Target {
  readonly connection: string;
}

/** A document that could not be tried because its warehouse did not answer. */
interface Waiting {
  readonly datasource: Datasource;
  readonly text: string;
  readonly sinceMillis: number;
}

const RETRY_AFTER_MS = 10_000;

export class Catalog implements DatasourceLoader {
  readonly type = 'SEMANTIC';
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #warehouses: Warehouses;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #dropAnswers: (prefix: readonly string[]) => void;

  constructor(warehouses: Warehouses, log: Log, clock: Clock, dropAnswers: (prefix: readonly string[]) => void) {
    this.#warehouses = warehouses;
    this.#log = log;
    this.#clock = clock;
    this.#dropAnswers = dropAnswers;
  }

  async load(datasource: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
    this.#waiting.delete(datasource.id);
    let warehouse: Warehouse;
    let version: string | undefined;
    let loaded: Awaited<ReturnType<typeof loadModel>>;
    try {
      warehouse = await this.#warehouses.open(datasource.warehouse);
      loaded = await loadModel(datasource, text, warehouse);
      version = await warehouse.dataVersion();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind === 'WAREHOUSE_UNREACHABLE' || error.kind === 'TIMEOUT') {
        this.#waiting.set(datasource.id, { datasource, text, sinceMillis: this.#clock() });
      }
      this.#log.warn({ datasource: datasource.id, err: error }, 'the warehouse of a semantic model failed');
      return [{ message: `The warehouse failed while the model was loaded: ${error.message}`, severity: 'error' }];
    }
    const { model, problems } = loaded;
    if (model === undefined) return problems;
    const taken = this.#find(datasource.name, model.name);
    if (taken !== undefined && taken[0] !== datasource.id) {
      const message = `Another datasource already serves the model ${model.name} of the connection ${datasource.name}.`;
      return [...problems, { message, severity: 'error' }];
    }
    const keyPrefix = ['semantic', datasource.id];
    this.#dropAnswers(keyPrefix);
    this.#entries.get(datasource.id)?.integrity.close();
    const integrity = new Integrity(model, warehouse, this.#log);
    this.#entries.set(datasource.id, { connection: datasource.name, model, warehouse, keyPrefix, integrity });
    integrity.check(version);
    return problems;
  }

  unload(id: string): void {
    this.#waiting.delete(id);
    this.#entries.get(id)?.integrity.close();
    this.#entries.delete(id);
    this.#dropAnswers(['semantic', id]);
  }

  /** Resolves when no join of any model is being checked; see `Integrity`. */
  async whenChecked(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ integrity }) => integrity.settled()));
  }

  /** All served models, by connection and name. */
  async list(): Promise<readonly Entry[]> {
    await this.#retry();
    return [...this.#entries.values()].toSorted(
      (left, right) => compare(left.connection, right.connection) || compare(left.model.name, right.model.name),
    );
  }

  /** Throws `NotFoundError`. Without a model name the connection must have exactly one. `root` as in `resolve`. */
  async find(connection: string, modelName: string | undefined, root = ''): Promise<Entry> {
    const entries = await this.list();
    const at = (member: string) => (root === '' ? member : `${root}.${member}`);
    const connections = [...new Set(entries.map((entry) => entry.connection))];
    const named = match(
      connection,
      connections.map((name) => ({ name })),
    );
    if (named.kind !== 'one') {
      throw new NotFoundError(`There is no connection "${connection}".`, {
        field: at('connection'),
        available: nearestFirst(connection, connections),
      });
    }
    const models = entries
      .filter((entry) => entry.connection === named.item.name)
      .map((entry) => ({ name: entry.model.name, entry }));
    const names = models.map(({ name }) => name);
    const [only, ...others] = models;
    if (modelName === undefined) {
      if (only !== undefined && others.length === 0) return only.entry;
      const message = `The connection ${named.item.name} has several models; name one in "model".`;
      throw new NotFoundError(message, { field: at('model'), available: names });
    }
    const found = match(modelName, models);
    if (found.kind === 'one') return found.item.entry;
    throw new NotFoundError(`The connection ${named.item.name} has no model "${modelName}".`, {
      field: at('model'),
      available: nearestFirst(modelName, names),
    });
  }

  #find(connection: string, model: string): readonly [string, Entry] | undefined {
    return [...this.#entries].find(([, entry]) => entry.connection === connection && entry.model.name === model);
  }

  /** Tries documents again whose warehouse did not answer, at most every few seconds. */
  async #retry(): Promise<void> {
    const now = this.#clock();
    for (const { datasource, text, sinceMillis } of [...this.#waiting.values()]) {
      if (now - sinceMillis < RETRY_AFTER_MS) continue;
      this.#waiting.set(datasource.id, { datasource, text, sinceMillis: now });
      const problems = await this.load(datasource, text);
      for (const problem of problems) this.#log.warn({ datasource: datasource.id, ...problem }, 'semantic model');
    }
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
