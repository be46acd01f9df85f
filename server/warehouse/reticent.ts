import { setTimeout as delay } from 'node:timers/promises';
import { CANNOT_BE_REACHED } from '../../router/capabilities/warehouse.ts';
import { type ErrorKind, ServiceError, WarehouseUnreachableError } from '../../router/errors.ts';
import type { Engine } from './driver.ts';
import { codeOf } from './network-errors.ts';

/** How long a failure to connect takes, in milliseconds: as long as a port that never answers. */
const CONNECT_FAILURE_MS = 10_000;

/** What this side says, not the other one. */
const OWN_KINDS: ReadonlySet<ErrorKind> = new Set(['VALIDATION', 'CANCELLED', 'TIMEOUT', 'UNAVAILABLE']);

/**
 * Returns an engine that tells nothing of what is at a port where no warehouse answers: a failure to connect has one
 * message, takes one time, and holds no word of the other side. Until a statement has been answered, every failure is one.
 */
export function reticent(engine: Engine, failureMs: number = CONNECT_FAILURE_MS): Engine {
  let hasAnswered = false;
  const errorOf = (error: unknown): ServiceError => {
    const known = error instanceof ServiceError ? error : engine.errorOf(error);
    if (OWN_KINDS.has(known.kind) || (hasAnswered && known.kind !== 'WAREHOUSE_UNREACHABLE')) return known;
    const code = codeOf(known.cause);
    return new WarehouseUnreachableError(CANNOT_BE_REACHED, code === '' ? {} : { cause: new Error(code) });
  };
  return {
    dialect: engine.dialect,
    catalog: engine.catalog,
    dataVersion: () => engine.dataVersion(),
    close: () => engine.close(),
    errorOf,
    async open(statement, run) {
      const started = performance.now();
      try {
        const reader = await engine.open(statement, run);
        hasAnswered = true;
        return reader;
      } catch (error) {
        // The caller has left: the engine says what that is.
        if (run.signal.aborted) throw error;
        const known = errorOf(error);
        if (known.kind !== 'WAREHOUSE_UNREACHABLE') throw error;
        const left = Math.max(0, failureMs - (performance.now() - started));
        await delay(left, undefined, { signal: run.signal }).catch(() => undefined);
        throw known;
      }
    },
  };
}
