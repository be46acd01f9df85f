import { InternalError, ServiceError } from '../../../router/errors.ts';
import { codeOf, NETWORK_REASONS, unreachable, unreachableFor } from '../network-errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';

/** The server's error in place of rows: `Code: 60. DB::Exception: …`. */
export class ClickhouseException extends Error {
  readonly number: number;
  constructor(text: string) {
    super(text.slice(0, 2_000));
    this.name = 'ClickhouseException';
    this.number = Number(/Code: (\d+)/.exec(text)?.[1] ?? 0);
  }
}

/** Numbers of ClickHouse's error codes (`src/Common/ErrorCodes.cpp`). */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  ...numbers('unknown-name', 8, 10, 16, 20, 35, 42, 46, 47, 50, 60, 63, 81, 184, 207, 352),
  ...numbers('forbidden', 164, 291, 344, 446, 497, 452),
  ...numbers('syntax', 62, 26, 48, 215, 344),
  ...numbers('value', 6, 27, 32, 38, 41, 43, 53, 69, 70, 72, 131, 153, 321, 349, 395, 407, 457, 481, 675, 676),
  ...numbers('resources', 76, 158, 173, 191, 201, 202, 241, 243, 253, 307, 396, 439),
]);

/** Codes that refuse the user rather than the statement. */
const UNREACHABLE: ReadonlyMap<number, string> = new Map([
  [192, 'it refused the user name or the password'],
  [193, 'it refused the user name or the password'],
  [194, 'it refused the user name or the password'],
  [516, 'it refused the user name or the password'],
]);

export const READONLY = 164;

const UNKNOWN_DATABASE = 81;

/**
 * @param database that of the address. Without it every statement fails; without another one, which a statement names, that statement does
 */
export function translateError(error: unknown, database?: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof ClickhouseException) {
    if (error.number === UNKNOWN_DATABASE && database !== undefined && namesDatabase(error.message, database))
      return unreachable('it has no database of this name', error, 'database');
    const why = UNREACHABLE.get(error.number);
    if (why !== undefined) return unreachable(why, error, 'password');
    return toWarehouseError(REFUSALS.get(error.number) ?? 'other', error);
  }
  const code = codeOf(error);
  const refused = unreachableFor(NETWORK_REASONS, code, error);
  if (refused !== undefined) return refused;
  if (code.startsWith('HPE_') || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return unreachable('it does not speak HTTP', error, 'port');
  return new InternalError('The ClickHouse client failed.', { cause: error });
}

/** Returns whether the message of a server, `Database shop does not exist`, is about a database. Newer versions quote the name. */
function namesDatabase(message: string, database: string): boolean {
  return [database, `\`${database}\``, `'${database}'`].some((name) => message.includes(`Database ${name} does`));
}

function numbers(refusal: Refusal, ...codes: readonly number[]): readonly (readonly [number, Refusal])[] {
  return codes.map((code) => [code, refusal]);
}
