/**
 * Aggregate tables of a measure group: tables with its measures, aggregated before by levels and foreign keys. The reader
 * makes declarations; `catalog/bind-aggregates.ts` finds their tables and columns in the warehouse.
 */
import type { RollUp } from './aggregators.ts';
import type { Located } from './located.ts';
import type { ColumnExpression, Expression, TableRelation } from './relation-model.ts';

/** A column of an aggregate table. Names are compared in any letter case. */
export interface AggregateColumn extends Located {
  readonly column: string;
}

/** The tables of a declaration: one by its name, or all with names that a regular expression matches as a whole. */
export type DeclaredTables = { readonly schema: string | undefined; readonly ignoreCase: boolean } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly excluded: readonly ExcludedTables[] }
);

/** Tables that a pattern does not mean. */
export interface ExcludedTables {
  readonly kind: 'name' | 'pattern';
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Aggregate tables as the schema declares them. Levels and measures are resolved, columns are not. */
export interface DeclaredAggregate extends Located {
  readonly tables: DeclaredTables;
  /** The column with the number of facts of each row. */
  readonly factCount: AggregateColumn | undefined;
  /** Columns with the number of facts that have a value in a column of the facts. */
  readonly valueCounts: readonly (AggregateColumn & { readonly factColumn: string })[];
  /** Foreign keys that are kept from the facts. */
  readonly keys: readonly (AggregateColumn & { readonly factColumn: string })[];
  readonly levels: readonly DeclaredAggregateLevel[];
  readonly measures: readonly DeclaredAggregateMeasure[];
  /** Columns that follow from levels: names, captions and properties. They are not read. */
  readonly dependent: readonly string[];
  readonly approxRowCount: number | undefined;
}

/** A column with the keys of a level. */
export interface DeclaredAggregateLevel extends AggregateColumn {
  /** The unique name of the hierarchy in the cube. */
  readonly hierarchy: string;
  readonly level: string;
  /** `false` if the table has columns for the levels above, `true` if they are read from the hierarchy's own tables. */
  readonly isKeyAlone: boolean;
}

/** A column with the values of a measure. */
export interface DeclaredAggregateMeasure extends AggregateColumn {
  readonly measure: string;
  /** How the schema combines the values; `undefined` for the measure's own way. */
  readonly rollUp: string | undefined;
}

/** An aggregate table with the columns that have the types of what they stand for. */
export interface AggregateTable {
  readonly table: TableRelation;
  /** The approximate number of rows; `undefined` if neither the schema nor the warehouse reports it. */
  readonly rowCount: number | undefined;
  readonly keys: readonly AggregateKey[];
  readonly levels: readonly AggregateLevel[];
  readonly measures: readonly AggregateMeasure[];
}

export interface AggregateKey {
  readonly factColumn: string;
  readonly column: ColumnExpression;
}

export interface AggregateLevel {
  readonly hierarchy: string;
  readonly level: string;
  /** The level's key in the hierarchy's own tables. */
  readonly key: Expression;
  readonly column: ColumnExpression;
  readonly isKeyAlone: boolean;
}

export interface AggregateMeasure {
  readonly measure: string;
  readonly column: ColumnExpression;
  /** How the values of several rows are combined. `facts`: they are not, so each cell must be one row of the table. */
  readonly rollUp: RollUp;
}
