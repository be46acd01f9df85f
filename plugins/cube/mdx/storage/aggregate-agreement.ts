/**
 * Compares aggregate tables with the facts, once for each version of the data. Warehouses that report no versions are
 * trusted: their tables are read as the schema declares them.
 */
import type { Log } from '../../../../router/capabilities/log.ts';
import type { TableInfo } from '../../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../../router/errors.ts';
import { isStoredTable, MAX_CHECK_MS, type RollupUse } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import { leavesOf } from '../../schema/relation-leaves.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import { type AggregatedFacts, agreementStatements } from '../sql/agreement-statement.ts';

export interface AgreementOptions {
  readonly warehouse: EngineWarehouse;
  readonly log: Pick<Log, 'debug' | 'warn'> | undefined;
  /** Returns the measure groups that may have aggregate tables. */
  readonly groups: () => readonly AggregatedFacts[];
}

interface ComparedVersion {
  readonly version: string;
  /** Whether each table that could be compared agrees with the facts. */
  readonly agrees: ReadonlyMap<model.AggregateTable, boolean>;
}

export class AggregateAgreement {
  readonly #options: AgreementOptions;
  readonly #controller = new AbortController();
  #compared: ComparedVersion | undefined;
  /** Whether the warehouse reports versions of its data; `undefined` until its first answer. */
  #isVersioned: boolean | undefined;
  #comparing: Promise<void> | undefined;

  constructor(options: AgreementOptions) {
    this.#options = options;
  }

  /** Returns whether a table may be read in place of the facts in a version of the data. */
  useOf(table: model.AggregateTable, version: string | undefined): RollupUse {
    if (this.#isVersioned === false) return 'declared';
    const agrees = version === this.#compared?.version ? this.#compared?.agrees.get(table) : undefined;
    return agrees === undefined ? 'unchecked' : agrees ? 'agrees' : 'differs';
  }

  /** Begins to compare the tables in a version of the data, unless its result exists or a comparison is running. */
  check(version: string | undefined): void {
    this.#isVersioned = this.#isVersioned === true || version !== undefined;
    if (version === undefined || version === this.#compared?.version || this.#controller.signal.aborted) return;
    this.#comparing ??= this.#run(version).finally(() => {
      this.#comparing = undefined;
    });
  }

  /** Resolves when no comparison is running. */
  async compared(): Promise<void> {
    await this.#comparing;
  }

  /** Stops running comparisons. */
  close(): void {
    this.#controller.abort();
  }

  async #run(version: string): Promise<void> {
    const { warehouse, log, groups } = this.#options;
    const declaring = groups().filter(({ group }) => group.model.aggregates !== undefined);
    const agrees = new Map<model.AggregateTable, boolean>();
    if (declaring.length === 0) {
      this.#compared = { version, agrees };
      return;
    }
    try {
      const tables = await warehouse.tables({ signal: this.#controller.signal });
      for (const facts of declaring)
        for (const table of facts.group.model.aggregates ?? []) {
          const result = await this.#compare(table, facts, tables);
          if (result !== undefined) agrees.set(table, result);
        }
      // Results for one version do not apply to the next.
      if ((await warehouse.dataVersion()) === version) this.#compared = { version, agrees };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log?.debug({ err: error }, 'aggregate tables could not be compared with the facts, which are read');
    }
  }

  /** Returns whether a table agrees with the facts; `undefined` where it cannot be compared. */
  async #compare(
    table: model.AggregateTable,
    facts: AggregatedFacts,
    tables: readonly TableInfo[],
  ): Promise<boolean | undefined> {
    const { warehouse, log } = this.#options;
    const names = { measureGroup: facts.group.name, aggregateTable: table.table.name };
    if (!isStored(table, facts.group, tables)) return undefined;
    try {
      for (const statement of agreementStatements(warehouse.dialect, table, facts)) {
        const { signal } = this.#controller;
        const { rowCount } = await warehouse.query(statement, { maxRows: 1, signal, timeoutMs: MAX_CHECK_MS });
        if (rowCount === 0) continue;
        log?.warn(names, 'an aggregate table differs from the facts, which are read instead');
        return false;
      }
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log?.debug({ err: error, ...names }, 'an aggregate table could not be compared with the facts');
      return undefined;
    }
  }
}

/** Returns whether rows of a table, of the facts and of its hierarchies change only with the version of the data. */
function isStored(table: model.AggregateTable, group: FactGroup, tables: readonly TableInfo[]): boolean {
  const aggregated = new Set(table.levels.map(({ hierarchy }) => hierarchy));
  const relations = group.hierarchies.flatMap(({ uniqueName, model: of }) =>
    of !== undefined && aggregated.has(uniqueName) ? [of.relation] : [],
  );
  return [table.table, group.model.fact, ...relations].flatMap(leavesOf).every((leaf) => {
    if (leaf.kind === 'inline') return true;
    if (leaf.kind === 'view') return false;
    const { schema, name } = leaf;
    return isStoredTable(schema === undefined ? { name } : { schema, name }, tables);
  });
}
