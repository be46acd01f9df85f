/** Checks the process: its state, its disk, its datasources and their warehouses. */
import type { WarehouseAddress } from '../router/capabilities/warehouse.ts';
import { ServiceError } from '../router/errors.ts';
import type { FreeSpace } from './disk/free-space.ts';
import type { Health } from './http/readiness.ts';
import type { StateStore } from './state/index.ts';
import type { OpenWarehouses } from './warehouse/index.ts';

/** Time that `/readyz` waits for the state, and for warehouses with an old result, in milliseconds. */
const STATE_PATIENCE_MS = 1_000;
const WAREHOUSE_PATIENCE_MS = 300;

/** Time limit of a warehouse's probe, in milliseconds. */
const PROBE_MS = 30_000;

/** Returns the missing and degraded parts, as far as a short check shows them. */
export async function healthOf(
  state: StateStore,
  datasources: { health(patienceMs: number): Promise<Health> },
  disk: Pick<FreeSpace, 'hasRoomFor'>,
): Promise<Health> {
  const [isUp, hasRoom, { missing, degraded }] = await Promise.all([
    succeedsWithin(STATE_PATIENCE_MS, state.ready()),
    disk.hasRoomFor(0),
    datasources.health(WAREHOUSE_PATIENCE_MS),
  ]);
  return { missing: [...(isUp ? [] : ['state']), ...(hasRoom ? [] : ['disk']), ...missing], degraded };
}

/** Resolves to whether `work` succeeds in time. */
export function succeedsWithin(patienceMs: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs);
    work
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}

/** Resolves to whether a warehouse answers; `undefined` for a slow one. */
export async function isReachable(warehouses: OpenWarehouses, address: WarehouseAddress): Promise<boolean | undefined> {
  try {
    const warehouse = await warehouses.open(address);
    await warehouse.ping(AbortSignal.timeout(PROBE_MS));
    return true;
  } catch (error) {
    return error instanceof ServiceError && error.kind === 'WAREHOUSE_UNREACHABLE' ? false : undefined;
  }
}
