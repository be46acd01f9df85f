import { setTimeout as delay } from 'node:timers/promises';
import { CANNOT_BE_REACHED } from '../../router/capabilities/warehouse.ts';
import { type ErrorKind, ServiceError, WarehouseUnreachableError } from '../../router/errors.ts';
import type { Engine } from './driver.ts';
import { codeOf } from './network-errors.ts';

/** Duration of every failed connection, in milliseconds: that of a port that never answers. */
const CONNECT_FAILURE_MS = 10_000;

/** Kinds of errors of this process, not the warehouse. */
const RAISED_HERE: ReadonlySet<ErrorKind> = new Set(['VALIDATION', 'CANCELLED', 'TIMEOUT', 'UNAVAILABLE']);

/**
 * Returns the engine with equal connection failures: one message, one duration, and no text of the other side. Until a statement succeeds, every
 * failure counts as a connection failure. So callers cannot scan ports.
 */
export function hideConnectFailures(engine: Engine, failureMs: number = CONNECT_FAILURE_MS): Engine {
  let hasAnswered = false;
  const translateError = (error: unknown): ServiceError => {
    const failure = error instanceof ServiceError ? error : engine.translateError(error);
    if (RAISED_HERE.has(failure.kind) || (hasAnswered && failure.kind !== 'WAREHOUSE_UNREACHABLE')) return failure;
    const code = codeOf(failure.cause);
    return new WarehouseUnreachableError(CANNOT_BE_REACHED, code === '' ? {} : { cause: new Error(code) });
  };
  return {
    dialect: engine.dialect,
    catalog: engine.catalog,
    dataVersion: () => engine.dataVersion(),
    close: () => engine.close(),
    translateError,
    async open(statement, run) {
      const started = performance.now();
      try {
        const reader = await engine.open(statement, run);
        hasAnswered = true;
        return reader;
      } catch (error) {
        // The caller left: the engine's own error describes it.
        if (run.signal.aborted) throw error;
        const failure = translateError(error);
        if (failure.kind !== 'WAREHOUSE_UNREACHABLE') throw error;
        const left = Math.max(0, failureMs - (performance.now() - started));
        await delay(left, undefined, { signal: run.signal }).catch(() => undefined);
        throw failure;
      }
    },
  };
}
