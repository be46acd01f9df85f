/** Tests a connection: reaches its warehouse, and finds the part of the connection that is wrong, with the names that exist. */
import type { Warehouse, WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { CONNECTION_FORMS, type ConnectionPart, formOfUrl, jdbcUrlOf } from '../../../router/connection-forms.ts';
import { ServiceError, ValidationError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { short } from '../../../router/short.ts';
import { engineOfUrl } from '../../../router/warehouse-engines.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';
import { reach } from '../profile/profile-schema.ts';
import type { ConnectionTest } from '../schemas.ts';

/** Databases of a server that are named as candidates at most. */
const MAX_DATABASES = 1_000;
/** Candidates in an answer at most. */
const MAX_CANDIDATES = 100;

type Problem = NonNullable<ConnectionTest['problem']>;

export interface TestedConnection {
  readonly address: WarehouseAddress;
  readonly schema: string | undefined;
}

export interface TestOptions {
  readonly warehouses: Warehouses;
  /**
   * True where the reason of a failed connection may be shown: a tenant that does not own the machine learns nothing
   * about its ports.
   */
  readonly isExplained: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Returns what became of a connection. Never rejects for a connection that fails. */
export async function testConnection(
  { address, schema }: TestedConnection,
  { warehouses, isExplained, signal }: TestOptions,
): Promise<ConnectionTest> {
  const started = performance.now();
  try {
    await warehouses.check(address);
    const warehouse = await warehouses.open(address);
    const { product, version } = isExplained ? await ping(warehouse, signal) : await reach(warehouse, signal);
    const missing = await warehouse.missingPlace(schema, signal);
    if (missing !== undefined)
      return failed({
        part: missing.kind,
        message: `The warehouse has no ${missing.kind} "${short(missing.name)}".`,
        available: candidates(missing.name, missing.available),
      });
    return { isReachable: true, product, version, milliseconds: Math.round(performance.now() - started) };
  } catch (error) {
    if (!(error instanceof ServiceError) || signal?.aborted === true) throw error;
    return failed(await problemOf(error, address, { warehouses, isExplained, signal }));
  }
}

async function ping(warehouse: Warehouse, signal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  try {
    return await warehouse.ping(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && signal?.aborted !== true)
      throw new WarehouseUnreachableError(
        `The warehouse cannot be reached: nothing answered within ${CONNECT_TIMEOUT_MS / 1_000} seconds.`,
        { part: 'host', cause: error },
      );
    throw error;
  }
}

async function problemOf(error: ServiceError, address: WarehouseAddress, options: TestOptions): Promise<Problem> {
  const { message } = error;
  if (error instanceof WarehouseUnreachableError && error.part !== undefined) {
    const { part } = error;
    const names = part === 'database' ? await databasesOf(address, options) : [];
    const named = formOfUrl(address.jdbcUrl)?.values[part] ?? '';
    return { part, message, ...(names.length === 0 ? {} : { available: candidates(named, names) }) };
  }
  if (error instanceof ValidationError) {
    const part = partOfAddressError(error, address);
    const available = error.available === undefined ? {} : { available: [...error.available] };
    return { ...(part === undefined ? {} : { part }), message, ...available };
  }
  return { message };
}

/** Names the part that a refused address is about, by the words of its driver. */
function partOfAddressError({ message }: ValidationError, { jdbcUrl }: WarehouseAddress): ConnectionPart | undefined {
  const engine = engineOfUrl(jdbcUrl);
  if (engine === undefined) return undefined;
  if (CONNECTION_FORMS[engine].kind === 'file') return 'file';
  if (message.startsWith('This host may not')) return 'host';
  if (message.includes('user name')) return 'username';
  if (message.includes('over TLS')) return 'tls';
  if (message.includes('catalog')) return 'catalog';
  return undefined;
}

/** Lists the databases that the user may connect to; none where the engine has no list. */
async function databasesOf(address: WarehouseAddress, { warehouses, signal }: TestOptions): Promise<readonly string[]> {
  const form = formOfUrl(address.jdbcUrl);
  const shape = form && CONNECTION_FORMS[form.engine];
  if (form === undefined || shape?.kind !== 'server' || shape.databases === undefined) return [];
  const { connectTo, sql } = shape.databases;
  const elsewhere = { ...address, jdbcUrl: jdbcUrlOf(form.engine, { ...form.values, database: connectTo }) };
  try {
    const warehouse = await warehouses.open(elsewhere);
    const read = await warehouse.query(
      { sql, parameters: [] },
      { maxRows: MAX_DATABASES, timeoutMs: CONNECT_TIMEOUT_MS, signal },
    );
    return (read.values[0] ?? []).map(String);
  } catch (error) {
    // Without candidates the message is right all the same.
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

function candidates(name: string, names: readonly string[]): string[] {
  return nearestFirst(name, [...names]).slice(0, MAX_CANDIDATES);
}

function failed(problem: Problem): ConnectionTest {
  return { isReachable: false, problem };
}
