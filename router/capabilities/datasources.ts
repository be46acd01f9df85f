import type { WarehouseAddress } from './warehouse.ts';

/** The registered datasource descriptors, and the state of each. */

export type DatasourceType = 'SEMANTIC' | 'OLAP';

/** One `.sds` descriptor, read and checked. */
export interface Datasource {
  readonly id: string;
  /** Shown and used as `connectionName`. */
  readonly name: string;
  readonly type: DatasourceType;
  /** Absolute path of the semantic document or the cube schema. */
  readonly documentPath: string;
  readonly warehouse: WarehouseAddress;
  /** The model's or the cube schema's name, where the descriptor gives one. */
  readonly schema: string | undefined;
  readonly enabled: boolean;
}

/** The reason why a descriptor or its document cannot be used. Administrators see it, so it may name places in the file. */
export interface DatasourceProblem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly severity: 'error' | 'warning';
  /** True when the warehouse did not answer, and the descriptor and the document are valid. */
  readonly warehouseIsDown?: true | undefined;
}

/** Datasources that load: no answer may say that they do not exist. */
export interface DatasourceStates {
  /**
   * Waits a short while for a datasource that is loading; returns at once where none has that connection name.
   *
   * @throws UnavailableError when it takes longer, or its warehouse does not answer
   */
  settled(connection: string): Promise<void>;
  /** Waits a short while until all datasources are loaded, so that lists are complete. */
  allSettled(): Promise<void>;
  /** Notes that a datasource is used now: datasources that nobody uses for long are unloaded. */
  markUsed(): void;
}

/** Reports that nothing is loading: for commands and tests, which load their datasources themselves. */
export const ALL_SETTLED: DatasourceStates = {
  settled: async () => undefined,
  allSettled: async () => undefined,
  markUsed: () => undefined,
};

/** The part of a surface in datasources: it reads the documents of its type and serves them. */
export interface DatasourceLoader {
  readonly type: DatasourceType;
  /**
   * Loads the datasource, on start and when the descriptor or its document changed. A version with problems of severity `error` is not served, and an
   * earlier loaded version stays in service.
   */
  load(datasource: Datasource, documentText: string): Promise<readonly DatasourceProblem[]>;
  /** Unloads a datasource that is gone or disabled. */
  unload(id: string): void;
}
