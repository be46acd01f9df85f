import type { Run } from '../driver.ts';

/** The format of answers: a line of names, a line of types, then a line for each row. */
export const FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

/** Time by which the server's own limit exceeds the product's, because the product's error is better. */
const SERVER_LIMIT_AFTER_MS = 1_000;

/**
 * Settings that make ClickHouse's SQL behave like the standard's, and its answers exact. Each made a difference on
 * 26.7.
 */
const MEANING = {
  // An outer join would fill the missing side with zeros and empty texts.
  join_use_nulls: '1',
  // A sum over no rows would be 0.
  aggregate_functions_null_for_empty: '1',
  // A cast of NULL would be an error.
  cast_keep_nullable: '1',
  union_default_mode: 'DISTINCT',
  // An alias would hide the column of the same name in the rest of the statement.
  prefer_column_name_to_alias: '1',
  // Separate comparisons would become a list, whose members are converted to the column's type, or refused.
  optimize_min_equality_disjunction_chain_length: '1000000',
  session_timezone: 'UTC',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_decimals: '0',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
  output_format_json_escape_forward_slashes: '0',
  output_format_decimal_trailing_zeros: '1',
} as const;

/**
 * Returns the settings of a statement that only reads. With `readonly=1` the server refuses changes of data and
 * settings, and table functions that open a file, an address or another server (all of them need CREATE TEMPORARY
 * TABLE). A user with `readonly=2` in its profile may not set it; `isConfined` is then false, and only the check of
 * the statement's text and the rights of the user confine it.
 */
export function settingsOf(
  run: Pick<Run, 'rowLimit' | 'timeoutMs'>,
  isConfined: boolean,
): Readonly<Record<string, string>> {
  return {
    ...MEANING,
    ...(isConfined ? { readonly: '1' } : {}),
    default_format: FORMAT,
    max_execution_time: String(Math.ceil((run.timeoutMs + SERVER_LIMIT_AFTER_MS) / 1000)),
    // Stops the work after so many rows; a few more may arrive.
    max_result_rows: String(run.rowLimit),
    result_overflow_mode: 'break',
    // When the product disconnects, the server stops.
    cancel_http_readonly_queries_on_client_close: '1',
    http_write_exception_in_output_format: '0',
  };
}
