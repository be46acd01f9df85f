import { WarehouseError } from '../../../router/errors.ts';
import { toWarehouseError } from '../warehouse-errors.ts';

/** Text allowed before the first word: white space, comments that the server ignores, too, and brackets. */
const BEFORE_FIRST_WORD = /^(?:[\s(]|--(?:[\s]|$)[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/)*/;

/**
 * Effects of a SELECT that no read-only transaction stops: it can read and write files of the server (with the FILE
 * privilege), run programs (where these functions are installed), hold locks, and set variables that later statements
 * of other callers would see. `/*!` begins a comment that the server executes. None of these has another spelling:
 * names have no escapes, and a comment does not join two halves of a word.
 */
const FORBIDDEN =
  /(?<![\w$])(outfile|dumpfile|load_file|sys_exec|sys_eval|sys_get|sys_set|get_lock|release_lock|release_all_locks|is_used_lock)(?![\w$])|:=|\/\*M?!/i;

/**
 * Checks that a text is a single reading statement without the words above, also as names of columns or in texts.
 *
 * @throws WarehouseError
 */
export function checkStatement(sql: string): void {
  if (!/^(?:SELECT|WITH|VALUES|TABLE)\b/i.test(sql.replace(BEFORE_FIRST_WORD, '')))
    throw toWarehouseError('not-a-query');
  const word = FORBIDDEN.exec(sql)?.[0];
  if (word !== undefined) throw new WarehouseError(`A query of a warehouse may not use ${word.toLowerCase()}.`);
}
