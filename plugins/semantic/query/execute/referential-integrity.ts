/**
 * Finds joins that lose no row by querying the data. An inner join is two to three times as fast as an outer one, and gives
 * the same rows where every row has its match. A match is known only for one version of the data, so it is checked once for
 * each version, in the background. Until then, and where the warehouse reports no versions, joins are outer ones.
 */
import type { Log } from '../../../../router/capabilities/log.ts';
import type { TableInfo, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { isMomentType } from '../../../../router/date-grains.ts';
import { ServiceError } from '../../../../router/errors.ts';
import { MAX_CHECK_MS, type RollupUse, sql } from '../../../query-surface/index.ts';
import type { Model, Rollup } from '../../model/model.ts';
import type { Join } from '../nodes/plan.ts';
import type { DatasetFigures } from '../nodes/query-target.ts';
import { RowsRenderer } from '../render/rows.ts';
import { isStored, measured } from './dataset-figures.ts';
import { agrees } from './rollup-agreement.ts';

interface CheckedVersion {
  readonly version: string;
  readonly totalJoins: ReadonlySet<string>;
  readonly figures: ReadonlyMap<string, DatasetFigures>;
  /** Whether each roll-up that could be compared agrees with its dataset. */
  readonly rollups: ReadonlyMap<string, boolean>;
}

export class ReferentialIntegrity {
  readonly #model: Model;
  readonly #warehouse: Warehouse;
  readonly #log: Log;
  readonly #controller = new AbortController();
  #checked: CheckedVersion | undefined;
  /** Whether the warehouse reports versions of its data; `undefined` until its first answer. */
  #isVersioned: boolean | undefined;
  #checking: Promise<void> | undefined;
  #failures: ReadonlyMap<string, string> = new Map();

  constructor(model: Model, warehouse: Warehouse, log: Log) {
    this.#model = model;
    this.#warehouse = warehouse;
    this.#log = log;
  }

  /** Returns the version of the data for which `isTotalJoin` is true. */
  get version(): string | undefined {
    return this.#checked?.version;
  }

  /** Returns whether each row of the join's parent has a partner in the data, so that an inner join loses none. */
  isTotalJoin = (join: Join): boolean => this.#checked?.totalJoins.has(joinKey(join)) ?? false;

  /** Returns the figures of a dataset in the data; `undefined` where it was not measured. */
  figuresOf = (dataset: string): DatasetFigures | undefined => this.#checked?.figures.get(dataset);

  /** Returns whether a roll-up may be read. */
  useOf = ({ name, isChecked }: Rollup): RollupUse => {
    if (!isChecked || this.#isVersioned === false) return 'declared';
    const isEqual = this.#checked?.rollups.get(name);
    return isEqual === undefined ? 'unchecked' : isEqual ? 'agrees' : 'differs';
  };

  /** Explains why the last refresh of a roll-up failed; `undefined` where it did not. */
  failureOf = ({ name }: Rollup): string | undefined => this.#failures.get(name);

  /** Reports why the last refreshes of roll-ups failed, by their names. */
  reportFailures(failures: ReadonlyMap<string, string>): void {
    this.#failures = failures;
  }

  /** Begins to check a version of the data, unless its result exists or a check is running. */
  check(version: string | undefined): void {
    this.#isVersioned = this.#isVersioned === true || version !== undefined;
    if (version === undefined || version === this.#checked?.version || this.#controller.signal.aborted) return;
    this.#checking ??= this.#run(version).finally(() => {
      this.#checking = undefined;
    });
  }

  /** Resolves when no check is running. */
  async ready(): Promise<void> {
    await this.#checking;
  }

  /** Stops running checks. */
  close(): void {
    this.#controller.abort();
  }

  async #run(version: string): Promise<void> {
    try {
      const tables = await this.#warehouse.tables({ signal: this.#controller.signal });
      const totalJoins = new Set<string>();
      for (const join of this.#joins()) {
        const ends = [join.parent, join.node].map(({ dataset }) => this.#model.datasets.get(dataset));
        if (!ends.every((dataset) => dataset !== undefined && isStored(dataset, tables))) continue;
        if (await this.#verifyTotal(join)) totalJoins.add(joinKey(join));
      }
      const figures = await this.#figures(tables);
      const rollups = await this.#agreements(tables);
      // Results for one version do not apply to the next.
      if ((await this.#warehouse.dataVersion()) === version) this.#checked = { version, totalJoins, figures, rollups };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#log.debug({ err: error, model: this.#model.name }, 'joins could not be checked; they stay outer joins');
    }
  }

  #joins(): readonly Join[] {
    return this.#model.relationships.flatMap(({ name, from, to, fromColumns, toColumns, toIsUnique, fromIsUnique }) => {
      const join = { relationship: name, isTotal: false };
      const many = { dataset: from, role: 0 };
      const one = { dataset: to, role: from === to ? 1 : 0 };
      return [
        ...(toIsUnique ? [{ ...join, parent: many, parentColumns: fromColumns, node: one, columns: toColumns }] : []),
        ...(fromIsUnique ? [{ ...join, parent: one, parentColumns: toColumns, node: many, columns: fromColumns }] : []),
      ];
    });
  }

  /** Measures the stored datasets with foreign keys or dates. */
  async #figures(tables: readonly TableInfo[]): Promise<ReadonlyMap<string, DatasetFigures>> {
    const { signal } = this.#controller;
    const figures = new Map<string, DatasetFigures>();
    for (const dataset of this.#model.datasets.values()) {
      const keys = this.#model.relationships.flatMap(({ from, fromColumns }) =>
        from === dataset.name ? fromColumns : [],
      );
      const hasDates = [...dataset.fields.values()].some(({ type }) => isMomentType(type));
      if ((keys.length === 0 && !hasDates) || !isStored(dataset, tables)) continue;
      try {
        const one = await measured(dataset, [...new Set(keys)], this.#model, this.#warehouse, signal);
        if (one !== undefined) figures.set(dataset.name, one);
      } catch (error) {
        // What was found about joins stays.
        if (!(error instanceof ServiceError)) throw error;
        this.#log.debug({ err: error, dataset: dataset.name }, 'a dataset could not be measured');
      }
    }
    return figures;
  }

  /** Compares the roll-ups with their datasets. */
  async #agreements(tables: readonly TableInfo[]): Promise<ReadonlyMap<string, boolean>> {
    const { signal } = this.#controller;
    const found = new Map<string, boolean>();
    for (const rollup of this.#model.rollups.filter(({ isChecked }) => isChecked)) {
      const facts = { model: this.#model.name, rollup: rollup.name };
      try {
        const isEqual = await agrees(rollup, this.#model, this.#warehouse, { tables, signal });
        if (isEqual !== undefined) found.set(rollup.name, isEqual);
        if (isEqual === false) this.#log.warn(facts, 'a roll-up differs from its dataset, which is read instead');
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.#log.debug({ err: error, ...facts }, 'a roll-up could not be compared with its dataset');
      }
    }
    return found;
  }

  async #verifyTotal(join: Join): Promise<boolean> {
    const { dialect } = this.#warehouse;
    const rows = new RowsRenderer(this.#model, dialect);
    const [column] = join.columns;
    if (column === undefined) return false;
    const from = rows.from({ root: join.parent, bridge: [], joins: [join] }, '');
    const lost = `${rows.column({ dataset: join.node.dataset, column }, join.node.role)} IS NULL`;
    const statement = sql`SELECT 1 AS lost\n${from}\nWHERE ${lost}\n${dialect.limit(1)}`.print(dialect);
    const { signal } = this.#controller;
    const lostRows = await this.#warehouse.query(statement, { maxRows: 1, signal, timeoutMs: MAX_CHECK_MS });
    return lostRows.rowCount === 0;
  }
}

function joinKey({ parent, parentColumns, node, columns }: Join): string {
  return JSON.stringify([parent.dataset, parentColumns, node.dataset, columns]);
}
