import type { DatasourceProblem, DatasourceType } from '../../router/capabilities/datasources.ts';

/**
 * - `READY`: the present version serves
 * - `STALE`: the present version cannot be used; an earlier one goes on serving
 * - `BROKEN`: it cannot be used, and nothing of it serves
 * - `DISABLED`: it says itself that it is not to be used
 * - `UNSUPPORTED`: no surface of this installation reads its type
 */
export type DatasourceStatus = 'READY' | 'BROKEN' | 'STALE' | 'DISABLED' | 'UNSUPPORTED';

/** One descriptor file and what became of it. */
export interface RegisteredDatasource {
  /** The file's name in the datasources folder: `shop.sds`. No two entries share it. */
  readonly file: string;
  readonly id: string;
  readonly name: string;
  /** Absent where the file could not be read that far. */
  readonly type: DatasourceType | undefined;
  readonly enabled: boolean;
  readonly status: DatasourceStatus;
  readonly problems: readonly DatasourceProblem[];
  /** The instant of this entry's last change, in epoch milliseconds. */
  readonly updatedAtMillis: number;
}
