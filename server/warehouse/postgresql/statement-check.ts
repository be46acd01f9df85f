import { WarehouseError } from '../../../router/errors.ts';

/**
 * Functions that a SELECT may call and that undo its confinement: `set_config` changes the role back, the others run
 * unchecked statements given as text, or open another connection, and `U&"…"` can hide the name of any of them.
 * Functions of files and large objects are listed for a clear message: the role of statements may not use them anyway.
 */
const FORBIDDEN =
  /(?<![\w$])(set_config|(query|cursor|table|schema|database)_to_xml(schema|_and_xmlschema)?|ts_stat|ts_rewrite|dblink\w*|crosstab\w*|connectby|xpath_table|lo_(import|export|create|creat|put|from_bytea|unlink)|pg_(read|write|stat)_(binary_)?file|pg_file_\w+|pg_ls_\w+)(?![\w$])|u&"/i;

/**
 * Checks that a statement contains none of these names, also as names of columns: no statement needs them.
 *
 * @throws WarehouseError
 */
function checkStatement(sql: string): void {
  const name = FORBIDDEN.exec(sql)?.[0];
  if (name !== undefined) throw new WarehouseError(`A query of a warehouse may not use ${name.toLowerCase()}.`);
}

/**
 * Wraps the statement in one that can only read: whatever is no SELECT, VALUES or TABLE is a syntax error inside the
 * brackets, and a WITH that changes data is refused below the top level. It is sent in the extended protocol, which
 * takes one statement only. The order of rows passes through: PostgreSQL has no reason to change it.
 */
export function readingStatement(sql: string, rowLimit: number): string {
  checkStatement(sql);
  return `SELECT * FROM (\n${sql.replace(/[\s;]+$/, '')}\n) AS answer LIMIT ${rowLimit}`;
}
