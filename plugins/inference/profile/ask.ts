/** Runs the statements of a profile and reads their answers by the names of their columns. */
import type { Scalar, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import { STATEMENT_TIMEOUT_MS } from '../limits.ts';

/** The answer of a statement. */
export interface Answer {
  readonly rowCount: number;
  /** The values of each column, in the order of the SELECT list. */
  readonly values: readonly (readonly Scalar[])[];
  /** Returns the values of a column. @throws InternalError where the statement selects none of this name */
  column(name: string): readonly Scalar[];
}

/** Runs one statement. */
export type Ask = (sql: string) => Promise<Answer>;

/** Returns a function that runs statements with the time limit of a profile. */
export function statementRunner(warehouse: Warehouse, maxRows: number, signal: AbortSignal | undefined): Ask {
  return async (sql) => {
    const { columns, values, rowCount } = await warehouse.query(
      { sql, parameters: [] },
      { maxRows, signal, timeoutMs: STATEMENT_TIMEOUT_MS },
    );
    const byName = new Map(columns.map(({ name }, index) => [name.toLowerCase(), values[index] ?? []] as const));
    return {
      rowCount,
      values,
      column(name) {
        const column = byName.get(name.toLowerCase());
        if (column === undefined) throw new InternalError(`a profile's statement has no column ${name}`);
        return column;
      },
    };
  };
}

/** Returns the value of a column in an answer of one row; `null` where there is no row. */
export function singleCell(answer: Answer, name: string): Scalar {
  return answer.column(name)[0] ?? null;
}
