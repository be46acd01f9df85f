/**
 * A cube surface over a test's warehouse, for end-to-end tests. The test supplies the parts of the process (warehouses,
 * cache, state, jobs), because no other file in a plugin may import the server.
 */
import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Datasource, DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import type { Jobs } from '../../../router/capabilities/jobs.ts';
import type { State } from '../../../router/capabilities/state.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../../router/errors.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { type RestClient, restClient } from '../../../router/testing/rest-client.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import type { CubeCapabilities } from '../cube-surface.ts';
import { type CubeSurface, cube } from '../index.ts';
import type { CubeSettings } from '../settings.ts';

const ROOT = '/rest/service/api/ai';

export { silentLog as silent };

/** The tenant of every fixture. */
export const TENANT = 'default' as TenantId;

/** No masking, so that small test data is visible. Tests of masking override it. */
const SETTINGS: CubeSettings = {
  maxRows: 10_000,
  cacheTtlMs: 0,
  samplesTtlMs: 300_000,
  timeoutMs: 30_000,
  kAnonymity: { threshold: 0, mask: null },
};

export interface FixtureOptions {
  readonly warehouses: Warehouses;
  readonly address: WarehouseAddress;
  readonly cache: Cache;
  readonly state: State;
  readonly jobs?: Jobs;
  readonly clock?: () => number;
  readonly settings?: Partial<CubeSettings>;
  /** Runs the engine in threads. By default, the calling thread runs it. */
  readonly engines?: CubeCapabilities['engines'] | undefined;
  /** The text of the cube schema. */
  readonly schema: string;
}

export function scope(...roles: readonly string[]): Scope {
  return { tenant: TENANT, user: 'ann', roles };
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
  readonly body: any;
}

export class Fixture {
  readonly surface: CubeSurface;
  readonly problems: readonly DatasourceProblem[];
  readonly #client: RestClient;
  readonly #datasource: Datasource;

  private constructor(surface: CubeSurface, problems: readonly DatasourceProblem[], datasource: Datasource) {
    this.surface = surface;
    this.problems = problems;
    this.#datasource = datasource;
    this.#client = restClient(surface.plugin);
  }

  static async open({ schema, address, settings, jobs = NO_JOBS, clock = Date.now, ...parts }: FixtureOptions) {
    const surface = cube({ ...parts, jobs, clock, log: silentLog, settings: { ...SETTINGS, ...settings } });
    const datasource: Datasource = {
      id: 'test',
      name: 'test',
      type: 'OLAP',
      documentPath: 'schema.xml',
      warehouse: address,
      schema: undefined,
      enabled: true,
    };
    return new Fixture(surface, await surface.loaderOf(TENANT).load(datasource, schema), datasource);
  }

  /** Loads another version of the schema. */
  reload(schema: string): Promise<readonly DatasourceProblem[]> {
    return this.surface.loaderOf(TENANT).load(this.#datasource, schema);
  }

  /** Calls an operation: `call('POST /query?format=matrix', body)`. */
  async call(request: string, body?: unknown, as: Scope = scope('ROLE_ADMIN')): Promise<Answered> {
    const [method, path = ''] = request.split(' ');
    const caller: UserCaller = { kind: 'user', via: 'api-key', ...as };
    const answer = await this.#client.call(`${method} ${ROOT}${path}`, {
      caller,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: answer.body };
  }

  /** Returns the last error that a call met, as it was thrown. */
  get lastError(): ServiceError | undefined {
    return this.#client.errors.at(-1);
  }

  /**
   * Returns the records of a query, each as its captions and the values of its numbers; fails where it is not
   * answered.
   */
  async table(request: object, as?: Scope): Promise<readonly (readonly unknown[])[]> {
    const { status, body } = await this.call('POST /query', request, as);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${this.lastError?.cause ?? ''}`);
    return body.data.map((record: object) =>
      Object.values(record).map((cell: unknown) =>
        typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell,
      ),
    );
  }

  async close(): Promise<void> {
    await this.surface.close();
  }
}
