import { WarehouseError } from '../../../router/errors.ts';
import { toWarehouseError } from '../warehouse-errors.ts';

/** Text allowed before the first word, or between a function's name and its bracket. */
const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|#[ !][^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*`;
const BEFORE_FIRST_WORD = new RegExp(`^(?:${SPACE}\\(?)*?${SPACE}(?=[a-z])`, 'i');

/**
 * Functions that leave the database: files of the server, addresses, other servers. `readonly=1` refuses the table functions
 * among them, but not the scalar `file('/etc/passwd')` (executed on 26.7). A quoted name before a bracket may spell any of
 * them with escapes; no statement needs one.
 */
const FORBIDDEN = new RegExp(
  `(?<![\\w$])((?:file|url|s3|gcs|oss|cosn|hdfs|azureBlobStorage|iceberg\\w*|deltaLake\\w*|hudi\\w*|paimon\\w*|remote|remoteSecure|cluster|clusterAllReplicas|mysql|postgresql|mongodb|redis|sqlite|jdbc|odbc|executable|ytsaurus|arrowFlight|catboostEvaluate)(?:Cluster|Local|S3|Azure|HDFS)?)${SPACE}\\(|["\`]${SPACE}\\(`,
  'i',
);

/**
 * Checks that a statement only reads, and calls none of these functions.
 *
 * @throws WarehouseError
 */
export function checkStatement(sql: string): void {
  const begin = BEFORE_FIRST_WORD.exec(sql)?.[0].length ?? 0;
  if (!/^(?:SELECT|WITH|VALUES)\b/i.test(sql.slice(begin))) throw toWarehouseError('not-a-query');
  const call = FORBIDDEN.exec(sql);
  if (call === null) return;
  throw new WarehouseError(
    call[1] === undefined
      ? 'A query of a warehouse may not call a function by a quoted name.'
      : `A query of a warehouse may not call the function ${call[1]}.`,
  );
}
