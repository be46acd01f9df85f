import type { DatasourceBoard } from './board.ts';
import type { DatasourceStatus, RegisteredDatasource } from './registered-datasource.ts';

export type DatasourceTrouble = Extract<DatasourceStatus, 'BROKEN' | 'STALE'> | 'UNREACHABLE';

export interface DegradedDatasource {
  readonly datasource: string;
  readonly status: DatasourceTrouble;
}

/** Datasources of tenants other than the first. */
export interface DegradedElsewhere {
  readonly tenants: number;
  readonly datasources: number;
  readonly status: DatasourceTrouble;
}

/** The health of the datasources, for operators. */
export interface DatasourceHealth {
  /** Datasources that are unknown so far, or load for the first time. */
  readonly missing: readonly string[];
  /** What cannot be asked, or not as its files say now; everything else can. */
  readonly degraded: readonly DegradedDatasource[];
}

/** The health of all tenants' datasources. */
export interface AllDatasourcesHealth {
  readonly missing: readonly string[];
  readonly degraded: readonly (DegradedDatasource | DegradedElsewhere)[];
}

export function missingOf(board: DatasourceBoard, isBlind: boolean): readonly string[] {
  const files = board.isKnown && !isBlind ? [] : ['datasources'];
  return [...files, ...board.loading.map((name) => `datasource ${name}`)];
}

/** @param unreachable files of the served datasources with a warehouse that does not answer */
export function degradedOf(
  entries: readonly RegisteredDatasource[],
  unreachable: ReadonlySet<string>,
): readonly DegradedDatasource[] {
  return entries.flatMap(({ file, name, status }): readonly DegradedDatasource[] => {
    if (unreachable.has(file)) return [{ datasource: name, status: 'UNREACHABLE' }];
    return status === 'BROKEN' || status === 'STALE' ? [{ datasource: name, status }] : [];
  });
}
