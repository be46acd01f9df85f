/** Relations and expressions of a cube schema: what is read from the warehouse. */
import type { ColumnType } from '../../../router/capabilities/dialect.ts';
import type { Located } from './located.ts';

/**
 * Rows to read. Every leaf has an `alias`, by which columns and SQL texts of the schema name it. A statement that
 * contains such a text must use the alias unchanged.
 */
export type Relation = TableRelation | ViewRelation | InlineRelation | JoinRelation;

export interface TableRelation extends Located {
  readonly kind: 'table';
  readonly schema: string | undefined;
  readonly name: string;
  readonly alias: string;
  /** A condition on the rows, combined with other conditions by AND. */
  readonly filter: SqlText | undefined;
}

/** A query in the schema. */
export interface ViewRelation extends Located {
  readonly kind: 'view';
  readonly alias: string;
  readonly sql: SqlText;
}

/** The type of a column's values in rows of the schema. */
export type InlineType = 'text' | 'integer' | 'float' | 'boolean' | 'date' | 'time' | 'timestamp' | 'binary';

/** Rows in the schema. */
export interface InlineRelation extends Located {
  readonly kind: 'inline';
  readonly alias: string;
  readonly columns: readonly { readonly name: string; readonly type: InlineType }[];
  /** The values in the order of `columns`, as text in the format of the column's type. Binary values are in base64. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** `left` JOIN `right` ON `left.key = right.key`. */
export interface JoinRelation extends Located {
  readonly kind: 'join';
  readonly left: Relation;
  readonly right: Relation;
  /** Its table is a leaf of `left`. */
  readonly leftKey: ColumnExpression;
  /** Its table is a leaf of `right`. */
  readonly rightKey: ColumnExpression;
}

export type Expression = ColumnExpression | SqlExpression;

/**
 * A column of the relation with the alias `table`, which may be the fact table (measures, degenerate dimensions,
 * links). `line` is the line of the element that names it.
 */
export interface ColumnExpression extends Located {
  readonly kind: 'column';
  readonly table: string;
  readonly name: string;
  /** The column's type in the warehouse, where SQL has no literals of it (the text of its values is read), or of instants. */
  readonly columnType?: ColumnType;
}

/** An expression that the schema's author wrote. `table` is the relation of its columns. */
export interface SqlExpression {
  readonly kind: 'sql';
  readonly table: string;
  readonly sql: SqlText;
}

/** SQL by dialect. `sqlFor` selects the variant. */
export interface SqlText extends Located {
  readonly variants: readonly SqlVariant[];
}

export interface SqlVariant extends Located {
  /** In lower case: `postgres`, `mysql`, `generic`. */
  readonly dialect: string;
  /** SQL text, and columns that must be written in the dialect's quoting. */
  readonly parts: readonly (string | ColumnExpression)[];
}
