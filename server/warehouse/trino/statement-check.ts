import { WarehouseError } from '../../../router/errors.ts';
import { toWarehouseError } from '../warehouse-errors.ts';

const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*`;
const BEFORE_FIRST_WORD = new RegExp(`^(?:${SPACE}\\(?)*?${SPACE}(?=[a-z])`, 'i');

/**
 * Table functions of connectors, `TABLE(shop.system.query(query => '…'))`: they send an unchecked text to the database
 * behind the connector, where it may do anything. All of them are in the schema `system`.
 */
const CONNECTOR_FUNCTION = new RegExp(`(?<![\\w$])system"?${SPACE}\\.${SPACE}"?\\w+"?${SPACE}\\(`, 'i');

/**
 * Checks that a statement is a query. Trino accepts one statement at a time, and in its grammar (`SqlBase.g4`, rule `statement`) one that begins with
 * SELECT, WITH, VALUES or TABLE is a query: every writing statement begins with another word.
 *
 * @throws WarehouseError
 */
export function checkStatement(sql: string): void {
  const begin = BEFORE_FIRST_WORD.exec(sql)?.[0].length ?? 0;
  if (!/^(?:SELECT|WITH|VALUES|TABLE)\b/i.test(sql.slice(begin))) throw toWarehouseError('not-a-query');
  if (CONNECTOR_FUNCTION.test(sql))
    throw new WarehouseError('A query of a warehouse may not call the table functions of a connector.');
}
