import { ConfigError } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';

export interface SignatureSettings {
  /** The shared secret of HS256; `undefined` for key pairs only. */
  readonly secret: Uint8Array | undefined;
  /** Address or file of the public keys; `undefined` for the shared secret only. */
  readonly jwks: URL | { readonly file: string } | undefined;
  readonly issuer: string;
  readonly audience: string;
  readonly owners: ReadonlySet<string>;
  /** Name of the tenant. */
  readonly tenant: string;
}

/** RFC 7518, section 3.2: the key of HS256 has at least 256 bits. */
const MIN_SECRET_BYTES = 32;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads the settings of tokens that hosts sign; `undefined` where no key is configured.
 *
 * @param pathOf resolves a path in the home folder
 * @throws ConfigError
 */
export function signatureSettings(config: Config, pathOf: (path: string) => string): SignatureSettings | undefined {
  const secret = config['service.embed.jwt.secret'];
  const jwks = config['service.embed.jwt.jwks'];
  const owners = config['service.embed.jwt.owners'].split(',').flatMap((name) => name.trim() || []);
  const issuer = config['service.embed.jwt.issuer'];
  const audience = config['service.embed.jwt.audience'];
  if (secret === '' && jwks === '') return undefined;
  if (secret !== '' && Buffer.byteLength(secret) < MIN_SECRET_BYTES)
    throw new ConfigError(
      `service.embed.jwt.secret needs ${MIN_SECRET_BYTES} bytes or more (openssl rand -base64 32).`,
    );
  if (issuer === '' || audience === '' || owners.length === 0) {
    throw new ConfigError(
      'Tokens that a host signs need service.embed.jwt.issuer, service.embed.jwt.audience and service.embed.jwt.owners beside the key.',
    );
  }
  return {
    secret: secret === '' ? undefined : Buffer.from(secret, 'utf8'),
    jwks: jwks === '' ? undefined : placeOfKeys(jwks, pathOf),
    issuer,
    audience,
    owners: new Set(owners),
    tenant: config['service.embed.jwt.tenant'],
  };
}

function placeOfKeys(text: string, pathOf: (path: string) => string): URL | { readonly file: string } {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { file: pathOf(text) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'service.embed.jwt.jwks must be a file, or an address that begins with https:// (http:// is for loopback only) without a user name.',
    );
  }
  return url;
}
