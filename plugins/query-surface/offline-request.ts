/** The requests of commands to a query surface without the server. Their documents need no datasource of a server. */
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Datasource, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Others } from '../../router/capabilities/query-source.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';

/** One typed request to the document of one datasource. */
export interface OfflineRequest<Settings> {
  /** The unchecked request. */
  readonly request: unknown;
  readonly datasource: Datasource;
  /** The text of the datasource's document. */
  readonly text: string;
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  readonly scope: Scope;
  readonly settings: Settings;
  readonly log: Log;
  /** Answers this rest in place of the whole. */
  readonly others?: Others | undefined;
  /** The analysis that a command needs, if any. */
  readonly analytics?: OfflineAnalytics | undefined;
}

/** The reason why a document cannot answer, as a sentence for the caller. */
export interface Unusable {
  readonly unusable: string;
}

export interface CheckReport {
  /** By line. */
  readonly problems: readonly DatasourceProblem[];
  /** The checks that were skipped, in words. */
  readonly notChecked: readonly string[];
}

export interface OfflineAnalytics {
  /** The analysis, as the `analytics` member of a saved query. */
  readonly request: unknown;
  /** Receives the number of finished series and of all series. */
  readonly onProgress: (done: number, total: number) => void;
}
