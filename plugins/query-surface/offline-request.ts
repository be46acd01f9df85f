/** Requests of commands to a query surface without the server: their documents need not be registered. */
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Datasource, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';

/** One typed request to the document of one datasource. */
export interface OfflineRequest<Settings> {
  /** The request as its author wrote it; it is checked. */
  readonly request: unknown;
  readonly datasource: Datasource;
  /** Text of the datasource's document. */
  readonly text: string;
  readonly warehouses: Warehouses;
  readonly cache: Cache;
  readonly scope: Scope;
  readonly settings: Settings;
  readonly log: Log;
  /** The kind of answer that a command wants. */
  readonly analytics?: OfflineAnalytics | undefined;
}

/** Why a document answers nothing, in a sentence for the caller. */
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
  /** Receives how many series are done, of how many. */
  readonly onProgress: (done: number, total: number) => void;
}
