/** Text allowed before the first word: white space, comments, and the brackets of a query. */
const BEFORE_FIRST_WORD = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

/**
 * Returns whether the statement begins with a word of queries. In SQLite no other statement begins with SELECT or VALUES; WITH may also begin a
 * change of data, which the compiled statement reports (`readonly`).
 */
export function beginsQuery(sql: string): boolean {
  return /^(?:SELECT|VALUES|WITH)\b/i.test(sql.replace(BEFORE_FIRST_WORD, ''));
}
