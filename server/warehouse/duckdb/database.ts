import { DuckDBInstance } from '@duckdb/node-api';
import type { DriverSettings, DuckdbLimits } from '../driver.ts';
import { Pool } from '../pool.ts';
import { Session } from './session.ts';
import { StatementCheck } from './statement-check.ts';

/** Default number of threads in Node's pool (libuv). */
const DEFAULT_NODE_THREADS = 4;

/**
 * Settings of every database. `READ_ONLY` alone would not stop `read_csv('/etc/passwd')`; without external access DuckDB opens its own file and no
 * other, and no statement can undo either. Extensions would be downloaded.
 */
const CONFINED: Readonly<Record<string, string>> = {
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** One opened version of a file, with its connections. */
export interface Database {
  readonly version: string;
  readonly pool: Pool<Session>;
  readonly check: StatementCheck;
  /** Closes the file when its statements have ended. */
  close(): Promise<void>;
}

export async function openDatabase(
  file: string | undefined,
  version: string,
  { poolSize, perSharer, duckdb: limits, onPool }: Pick<DriverSettings, 'poolSize' | 'perSharer' | 'duckdb' | 'onPool'>,
): Promise<Database> {
  const settings = { ...CONFINED, ...limited(limits) };
  const instance = await DuckDBInstance.create(
    file ?? ':memory:',
    file === undefined ? settings : { ...settings, access_mode: 'READ_ONLY' }, // A database in memory cannot be read-only; it is empty.
  );
  const connections = [await instance.connect()];
  try {
    await connections[0]?.run("SET GLOBAL TimeZone = 'UTC'"); // An instance does not accept this setting when it is created.
    await connections[0]?.run('SET GLOBAL lock_configuration = true');
    // Opened ahead: opening uses Node's thread pool, where it may wait for running statements.
    const size = maxConnections(poolSize);
    while (connections.length < size) connections.push(await instance.connect());
    const pool = new Pool<Session>({
      size,
      perSharer,
      onOpen: onPool,
      ready: connections.map((connection) => new Session(connection)),
      open: async () => new Session(await instance.connect()),
      close: (session) => session.closeSync(),
    });
    return {
      version,
      pool,
      check: new StatementCheck(),
      async close() {
        await pool.close();
        instance.closeSync();
      },
    };
  } catch (error) {
    for (const connection of connections) connection.closeSync();
    instance.closeSync();
    throw error;
  }
}

function limited(limits: DuckdbLimits | undefined): Readonly<Record<string, string>> {
  if (limits === undefined) return {};
  return { threads: String(limits.threads), memory_limit: `${Math.floor(limits.memoryBytes / 1_000)}KB` };
}

/**
 * Limits the connections. Each running statement uses one thread of Node's pool, and one thread stays free for everything else (files, password
 * hashes, name look-ups).
 */
function maxConnections(poolSize: number): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_NODE_THREADS;
  return Math.max(1, Math.min(poolSize, threads - 1));
}
