import { serialize } from 'node:v8';
import type { ColumnarResult, ColumnInfo, TableInfo, Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { OpenWarehouses } from '../open-warehouses.ts';

/**
 * Remembers what an engine answered, so that the same question is not sent again: a quarter of the statements of the suites repeats an earlier one
 * of the same file, on tables that nobody has changed. For engines on which each statement takes long.
 */
export class RememberedAnswers {
  /** Grows when the tables change. */
  #changes = 0;

  /** Forgets all answers, because the tables change. */
  forget(): void {
    this.#changes += 1;
  }

  ofAll(warehouses: OpenWarehouses): OpenWarehouses {
    const remembering = new WeakMap<Warehouse, Warehouse>();
    return {
      ...warehouses,
      open: async (address) => {
        const warehouse = await warehouses.open(address);
        const known = remembering.get(warehouse) ?? this.of(warehouse);
        remembering.set(warehouse, known);
        return known;
      },
    };
  }

  of(warehouse: Warehouse): Warehouse {
    const queries = this.#memory<ColumnarResult>();
    const tables = this.#memory<readonly TableInfo[]>();
    const columns = this.#memory<readonly ColumnInfo[] | undefined>();
    const columnsOfTables = this.#memory<readonly (readonly ColumnInfo[] | undefined)[]>();
    return {
      dialect: warehouse.dialect,
      query: (statement, options) =>
        queries([statement, options.maxRows], options.signal, () => warehouse.query(statement, options)),
      tables: (options) => tables([options?.schema], options?.signal, () => warehouse.tables(options)),
      columns: (table, signal) => columns([table], signal, () => warehouse.columns(table, signal)),
      columnsByName: (names, signal) =>
        columnsOfTables(['names', names], signal, () => warehouse.columnsByName(names, signal)),
      columnsOf: (infos, signal) => columnsOfTables(['infos', infos], signal, () => warehouse.columnsOf(infos, signal)),
      stream: (statement, options) => warehouse.stream(statement, options),
      ping: (signal) => warehouse.ping(signal),
      missingPlace: (schema, signal) => warehouse.missingPlace(schema, signal),
      catalogStatistics: (infos, signal) => warehouse.catalogStatistics(infos, signal),
      declaredKeys: (infos, signal) => warehouse.declaredKeys(infos, signal),
      rowEstimates: (options) => warehouse.rowEstimates(options),
      dataVersion: () => warehouse.dataVersion(),
      close: () => warehouse.close(),
    };
  }

  /** Makes a memory for the answers of one method. Failures are not remembered, and an aborted question is asked. */
  #memory<Answer>() {
    const answers = new Map<string, Answer>();
    let changes = this.#changes;
    return async (
      question: readonly unknown[],
      signal: AbortSignal | undefined,
      ask: () => Promise<Answer>,
    ): Promise<Answer> => {
      if (changes !== this.#changes) answers.clear();
      changes = this.#changes;
      const key = serialize(question).toString('base64');
      const known = answers.get(key);
      if (known !== undefined && signal?.aborted !== true) return known;
      const asked = this.#changes;
      const answer = await ask();
      if (asked === this.#changes) answers.set(key, answer);
      return answer;
    };
  }
}
