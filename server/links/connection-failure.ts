/** Says in words why a server on the web gave no answer. */

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
};

/** Returns the reason of a failed request; `undefined` for a failure of another kind. */
export function connectionFailure(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (REASONS[code] !== undefined) return REASONS[code];
  return /CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code) ? 'its certificate is not valid' : undefined;
}
