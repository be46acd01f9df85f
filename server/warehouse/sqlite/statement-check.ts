/** What may stand before the first word: white space, comments, and the brackets of a query. */
const BEFORE_FIRST_WORD = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

/**
 * Tells whether the first word of the statement is one that only a query begins with. In SQLite no other statement begins
 * with SELECT or VALUES; WITH may also lead a change of data, which the statement itself then tells (`readonly`).
 */
export function beginsQuery(sql: string): boolean {
  return /^(?:SELECT|VALUES|WITH)\b/i.test(sql.replace(BEFORE_FIRST_WORD, ''));
}
