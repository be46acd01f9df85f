import { ValidationError } from '../../router/errors.ts';

/** The address of a warehouse cannot be used: no driver supports it, or a part of it is wrong. `available` lists the supported prefixes. */
export class InvalidAddressError extends ValidationError {
  constructor(message: string, available?: readonly string[]) {
    super([{ path: ['jdbcUrl'], message, available }]);
  }
}

/** Refuses a file that is the product's own. @throws InvalidAddressError */
export function refuseOwnFile(file: string, refuses: ((file: string) => boolean) | undefined): void {
  if (refuses?.(file) === true) throw new InvalidAddressError('This file is the server’s own and no warehouse.');
}

/** The common parts of all JDBC URLs. */
export interface JdbcUrl {
  /** Text between the driver's prefix and the `?`. */
  readonly target: string;
  /** Percent-decoded, with names as written. */
  readonly parameters: ReadonlyMap<string, string>;
}

export function parseJdbcUrl(prefix: string, jdbcUrl: string): JdbcUrl {
  const rest = jdbcUrl.slice(prefix.length);
  const mark = rest.indexOf('?');
  if (mark < 0) return { target: rest, parameters: new Map() };
  return { target: rest.slice(0, mark), parameters: new Map(new URLSearchParams(rest.slice(mark + 1))) };
}
