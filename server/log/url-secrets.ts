/** Words in the names of parameters with secret values. */
const SECRET_PARAMETER = /[?&;]([\w.-]*(?:pass|pwd|secret|token|key|credential)[\w.-]*)=([^&;#]*)/gi;
/** `//user:password@host`, where the password may contain an `@`. */
const PASSWORD = /\/\/[^:/?#@]*:([^/?#]*)@/;

/** Returns the secrets in an address, also of JDBC: passwords and values of parameters, both encoded and decoded. */
export function secretsOfUrl(url: string): readonly string[] {
  const written = [PASSWORD.exec(url)?.[1], ...[...url.matchAll(SECRET_PARAMETER)].map(([, , value]) => value)];
  return written.flatMap((text) => (text === undefined || text === '' ? [] : [text, decoded(text)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the value is not encoded.
    return text;
  }
}
