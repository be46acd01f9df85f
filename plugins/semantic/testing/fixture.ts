/**
 * A semantic surface over a test's own warehouse, for end-to-end tests. The test passes the parts of the process (the
 * warehouse, the cache), because nothing else in a plugin may import the server.
 */
import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Datasource, DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Jobs } from '../../../router/capabilities/jobs.ts';
import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../router/errors.ts';
import { createCallerFactory } from '../../../router/operation.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { userContext } from '../../../router/testing/user-context.ts';
import { type Semantic, type SemanticSettings, semantic } from '../index.ts';
import type { AggregationNotes } from '../prepare.ts';

/** A warehouse that a test starts and the fixture stops. */
export interface StartedWarehouse {
  readonly warehouses: Warehouses;
  readonly address: WarehouseAddress;
  stop(): Promise<void>;
}

export interface FixtureOptions {
  readonly warehouse: StartedWarehouse;
  readonly cache: Cache;
  /** Needed by tests of asynchronous queries only. */
  readonly jobs?: Jobs;
  /** The semantic document. */
  readonly document: string;
  readonly settings?: Partial<SemanticSettings>;
  /** Takes notes of computed answers. */
  readonly demands?: AggregationNotes;
  /** The present; by default the machine's clock. */
  readonly clock?: Clock;
}

export { silentLog as silent };

/** Settings without masking, so that small test data shows. Tests of masking change them. */
const SETTINGS: SemanticSettings = {
  maxRows: 10_000,
  cacheTtlMs: 0,
  samplesTtlMs: 300_000,
  kAnonymity: { threshold: 0, mask: null },
};

/** The tenant of every fixture. */
const TENANT = 'default' as TenantId;

/** The datasource of every fixture, without its warehouse. */
const DATASOURCE: Omit<Datasource, 'warehouse'> = {
  id: 'test',
  name: 'test',
  type: 'SEMANTIC',
  documentPath: 'model.yaml',
  schema: undefined,
  enabled: true,
};

export function scope(...roles: readonly string[]): Scope {
  return { tenant: TENANT, user: 'ann', roles };
}

export class Fixture {
  readonly surface: Semantic;
  readonly problems: readonly DatasourceProblem[];
  readonly #warehouse: StartedWarehouse;

  private constructor(surface: Semantic, problems: readonly DatasourceProblem[], warehouse: StartedWarehouse) {
    this.surface = surface;
    this.problems = problems;
    this.#warehouse = warehouse;
  }

  static async open({
    warehouse,
    cache,
    jobs = NO_JOBS,
    document,
    settings,
    demands,
    clock = Date.now,
  }: FixtureOptions): Promise<Fixture> {
    const surface = semantic({
      warehouses: warehouse.warehouses,
      cache,
      jobs,
      log: silentLog,
      clock,
      settings: { ...SETTINGS, ...settings },
      ...(demands === undefined ? {} : { demands }),
    });
    const problems = await surface.loaderOf(TENANT).load({ ...DATASOURCE, warehouse: warehouse.address }, document);
    await surface.ready();
    return new Fixture(surface, problems, warehouse);
  }

  /** Loads another version of the document. */
  reload(document: string): Promise<readonly DatasourceProblem[]> {
    return this.surface.loaderOf(TENANT).load({ ...DATASOURCE, warehouse: this.#warehouse.address }, document);
  }

  close(): Promise<void> {
    return this.#warehouse.stop();
  }

  async run(request: object, as: Scope = scope('ROLE_USER')): Promise<TabularAnswer> {
    return this.surface.source.prepare({ connection: 'test', ...request }).run(as, {});
  }

  /** Returns the answer as a table in the order of the columns: group cells unchanged, metric cells as their values. */
  async table(request: object, as?: Scope): Promise<readonly (readonly unknown[])[]> {
    const { columns, records } = await this.run(request, as);
    return records.map((record) =>
      columns.map(({ key }) => {
        const cell = record[key];
        return typeof cell === 'object' && cell !== null ? cell.value : cell;
      }),
    );
  }

  /** Returns the answer like `table`, with texts of numbers converted to numbers. */
  async numbers(request: object, as?: Scope): Promise<readonly (readonly unknown[])[]> {
    const isNumber = (cell: unknown): cell is string => typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell);
    return (await this.table(request, as)).map((row) => row.map((cell) => (isNumber(cell) ? Number(cell) : cell)));
  }

  /** Returns the error with which a request is refused; fails if it is not refused. */
  async refusal(request: object, as?: Scope): Promise<ValidationError> {
    try {
      await this.run(request, as);
    } catch (error) {
      if (error instanceof ValidationError) return error;
      throw error;
    }
    throw new Error('the request was expected to be refused');
  }

  /** Returns the operations for a signed-in user; `signal` is aborted when the user leaves. */
  operations(as: Scope = scope('ROLE_USER'), signal?: AbortSignal) {
    const context = userContext({ kind: 'user', via: 'api-key', ...as });
    return createCallerFactory(this.surface.plugin.router)(context, signal === undefined ? {} : { signal });
  }
}
