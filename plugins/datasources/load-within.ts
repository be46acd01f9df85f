import type { Datasource, DatasourceLoader, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { type ErrorKind, ServiceError } from '../../router/errors.ts';

export interface LoadOptions {
  readonly timeoutMs: number;
  readonly log: Log;
  /** Runs when a load that was given up ends after all. */
  readonly onLate: () => void;
}

/** Has a loader take a datasource. Always answers, and in time: whatever goes wrong is a problem of this datasource alone. */
export async function loadWithin(
  loader: DatasourceLoader,
  datasource: Datasource,
  documentText: string,
  { timeoutMs, log, onLate }: LoadOptions,
): Promise<readonly DatasourceProblem[]> {
  let late = false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly DatasourceProblem[]>((resolve) => {
    timer = setTimeout(() => {
      late = true;
      resolve([down(`It could not be loaded within ${timeoutMs / 1000} seconds; it is tried again.`)]);
    }, timeoutMs);
  });
  const loading = attempt().then((problems) => {
    if (late) onLate();
    return problems;
  });
  try {
    return await Promise.race([loading, timeout]);
  } finally {
    clearTimeout(timer);
  }

  async function attempt(): Promise<readonly DatasourceProblem[]> {
    try {
      return await loader.load(datasource, documentText);
    } catch (thrown) {
      if (thrown instanceof ServiceError && DOWN.has(thrown.kind)) return [down(thrown.message)];
      if (thrown instanceof ServiceError && thrown.kind !== 'INTERNAL') return [error(thrown.message)];
      log.error({ err: thrown, datasource: datasource.id }, 'a datasource loader failed');
      return [error('Something went wrong on our side while it was loaded; it has been logged.')];
    }
  }
}

const DOWN: ReadonlySet<ErrorKind> = new Set(['WAREHOUSE_UNREACHABLE', 'TIMEOUT']);

function error(message: string): DatasourceProblem {
  return { severity: 'error', message };
}

function down(message: string): DatasourceProblem {
  return { severity: 'error', message, warehouseIsDown: true };
}
