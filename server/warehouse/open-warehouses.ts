import { basename } from 'node:path';
import type { Log } from '../../router/capabilities/log.ts';
import type { Observer, StatementActivity } from '../../router/capabilities/observer.ts';
import type { Statement, Warehouse, WarehouseAddress, Warehouses } from '../../router/capabilities/warehouse.ts';
import { ENGINES, type EngineName, engineOfUrl, JDBC_PREFIXES } from '../../router/warehouse-engines.ts';
import { viewerComment } from '../fair-share/present-viewer.ts';
import { secretsOfUrl } from '../log/url-secrets.ts';
import type { DuckdbLimits } from './driver.ts';
import { DRIVERS } from './drivers.ts';
import { hideConnectFailures } from './hide-connect-failures.ts';
import { InvalidAddressError, parseJdbcUrl } from './jdbc-url.ts';
import { LimitedWarehouse, type Watch } from './limited-warehouse.ts';
import type { NetworkGuard } from './network-guard.ts';
import type { PoolGauge } from './pool.ts';
import { isSamePlace, locateDatabase } from './same-warehouse.ts';
import { explained, planText, type StatementWatch } from './statement-watch.ts';

export interface WarehousesOptions {
  /** The default time limit of a statement, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Maximum number of connections to one warehouse. */
  readonly poolSize: number;
  /** Maximum number of one user's running statements in one warehouse; 0 or undefined for no limit. */
  readonly perSharer?: number | undefined;
  /** True to name the viewer of an embed in a comment of each statement. */
  readonly hasViewerComments?: boolean | undefined;
  /** Limits of one DuckDB database on this machine; default: DuckDB's own. */
  readonly duckdb?: DuckdbLimits | undefined;
  /** Time without statements after which a file of DuckDB is closed, in milliseconds; default: ten minutes. */
  readonly idleMs?: number | undefined;
  /** Returns whether a file is the product's own and no warehouse: `ownFiles`. */
  readonly refusesFile?: ((file: string) => boolean) | undefined;
  /** Decrypts the password of an address, where it is encrypted. */
  readonly opensPassword?: ((address: WarehouseAddress) => WarehouseAddress) | undefined;
  /** The folder of relative file names in addresses. */
  readonly home: string;
  /** Decides which hosts are allowed; without it, all are. */
  readonly network?: NetworkGuard | undefined;
  /** Duration of every failed connection in hosted mode, in milliseconds. */
  readonly connectFailureMs?: number;
  readonly log: Log;
  readonly observer?: Observer | undefined;
  /** Lists the running statements, and stops them on request. */
  readonly statements?: StatementWatch | undefined;
  /** Receives each pool of connections with its warehouse. */
  readonly onPool?: ((warehouse: WarehouseName, pool: PoolGauge) => void) | undefined;
}

/** A warehouse for operators: no user, no password. */
export type WarehouseName = Pick<StatementActivity, 'engine' | 'warehouse'>;

/** All warehouses of the process. `close` ends when their running statements have ended. */
export interface OpenWarehouses extends Warehouses {
  close(): Promise<void>;
}

export function openWarehouses(options: WarehousesOptions): OpenWarehouses {
  const opened = new Map<string, Promise<Warehouse>>();

  async function start(address: WarehouseAddress): Promise<Warehouse> {
    // Engines and their drivers repeat addresses and passwords in their messages.
    options.log.hide([address.password ?? '', ...secretsOfUrl(address.jdbcUrl)]);
    const engineName = engineOfUrl(address.jdbcUrl);
    if (engineName === undefined) {
      throw new InvalidAddressError(
        `No driver serves this address. It must begin with one of: ${JDBC_PREFIXES.join(', ')}.`,
        JDBC_PREFIXES,
      );
    }
    const usable = options.opensPassword?.(address) ?? address;
    options.log.hide([usable.password ?? '']);
    const name = warehouseName(engineName, address);
    const { observer, statements, onPool, ...settings } = options;
    const engine = await DRIVERS[engineName].open(usable, parseJdbcUrl(ENGINES[engineName].prefix, address.jdbcUrl), {
      ...settings,
      onPool: onPool === undefined ? undefined : (pool) => onPool(name, pool),
    });
    const watch: Watch | undefined =
      observer === undefined ? undefined : (work) => observer.around({ kind: 'statement', ...name }, work);
    const shown = options.network?.isHosted === true ? hideConnectFailures(engine, options.connectFailureMs) : engine;
    const comment = options.hasViewerComments === true ? viewerComment : undefined;
    // Asks for plans, and is not watched itself.
    const asking = new LimitedWarehouse(shown, PLAN_TIMEOUT_MS);
    const plan = async (statement: Statement): Promise<string> => {
      const { values, rowCount } = await asking.query(explained(statement, engineName), { maxRows: MAX_PLAN_ROWS });
      const rows = Array.from({ length: rowCount }, (_, row) => values.map((column) => column[row]));
      return planText(rows, statement);
    };
    const begin = (statement: Statement) =>
      statements?.begin({ ...name, sql: statement.sql, plan: () => plan(statement) });
    return new LimitedWarehouse(shown, options.statementTimeoutMs, watch, comment, begin);
  }

  async function release(key: string): Promise<void> {
    const warehouse = opened.get(key);
    opened.delete(key);
    await (await warehouse)?.close();
  }

  return {
    supported: JDBC_PREFIXES,
    open(address) {
      const key = addressKey(address);
      const shared = opened.get(key);
      if (shared !== undefined) return shared;
      const warehouse = start(address);
      opened.set(key, warehouse);
      warehouse.catch(() => opened.delete(key)); // A library that failed to load is loaded again at the next call; this caller gets the error.
      return warehouse;
    },
    release: (address) => release(addressKey(address)),
    async check(address) {
      const place = readablePlace(address, options.home);
      if (place?.kind === 'server') await options.network?.addressOf(place.host, place.port);
    },
    async isSame(one, other) {
      const [left, right] = [one, other].map((address) => readablePlace(address, options.home));
      return left !== undefined && right !== undefined && isSamePlace(left, right);
    },
    async close() {
      await Promise.all([...opened.keys()].map(release));
    },
  };
}

/** Returns the place of an address; undefined for an address that its driver cannot read, which connecting refuses. */
function readablePlace(address: WarehouseAddress, home: string): ReturnType<typeof locateDatabase> {
  try {
    return locateDatabase(DRIVERS, address, home);
  } catch (error) {
    if (error instanceof InvalidAddressError) return undefined;
    throw error;
  }
}

function addressKey({ jdbcUrl, username, password }: WarehouseAddress): string {
  return JSON.stringify([jdbcUrl, username ?? null, password ?? null]);
}

/** Names a warehouse for operators: `shop` for `jdbc:duckdb:/data/shop.duckdb`, `db.example.com:5432/shop` for a server. */
function warehouseName(engine: EngineName, { jdbcUrl }: WarehouseAddress): WarehouseName {
  const [address = ''] = jdbcUrl.slice(ENGINES[engine].prefix.length).split(/[?;]/, 1);
  const warehouse = address.startsWith('//') ? address.slice(2).replace(/^[^/]*@/, '') : basename(address);
  return { engine, warehouse: warehouse.slice(0, MAX_NAME_LENGTH) };
}

const MAX_NAME_LENGTH = 120;
const PLAN_TIMEOUT_MS = 5_000;
const MAX_PLAN_ROWS = 1_000;
