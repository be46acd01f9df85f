/** The addresses of agents that codes are sent to. */
import { OAuthError } from './oauth-error.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that a browser answers itself, or that would send a code in the clear. An agent's own app has another one. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  'about blob chrome data file filesystem ftp intent javascript mailto tel view-source vbscript ws wss'.split(' '),
);

/** Where an agent receives its code, for the person who allows it. */
export interface Receiver {
  readonly kind: 'site' | 'computer' | 'app';
  /** The host of a site or of this computer, or the scheme of an app. */
  readonly name: string;
}

/**
 * Checks an address that an agent registers: HTTPS, HTTP on the user's own machine (RFC 8252, section 7.3), or the scheme of
 * an app (section 7.1).
 *
 * @throws OAuthError
 */
export function checkRedirectUri(text: string): void {
  const refused = (why: string) => new OAuthError('invalid_redirect_uri', `${text.slice(0, 100)} ${why}.`);
  if (!URL.canParse(text) || /[\s\p{C}]/u.test(text)) throw refused('is no address');
  const { protocol, hostname, username, password } = new URL(text);
  const scheme = protocol.slice(0, -1);
  if (text.includes('#')) throw refused('has a fragment');
  if (username !== '' || password !== '') throw refused('has a user name');
  if (scheme === 'https') return;
  if (scheme === 'http') {
    if (!LOOPBACK.has(hostname)) throw refused('must begin with https://');
    return;
  }
  if (REFUSED_SCHEMES.has(scheme) || !text.toLowerCase().startsWith(`${scheme}:/`))
    throw refused('has a scheme that is not accepted');
}

/**
 * Returns whether an agent may receive its code at an address: one that it has registered, letter by letter (OAuth 2.1,
 * section 2.3.1). On the user's own machine the port may differ, because a program there takes any free one (RFC 8252,
 * section 7.3).
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const portless = withoutLoopbackPort(asked);
  return portless !== undefined && registered.some((each) => withoutLoopbackPort(each) === portless);
}

/** Returns an address of the user's own machine without its port; `undefined` for any other address. */
function withoutLoopbackPort(text: string): string | undefined {
  const parts = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?][^#\s]*)?)$/.exec(text);
  return parts === null || !URL.canParse(text) ? undefined : `${parts[1]} ${parts[2]}`;
}

export function receiverAt(redirectUri: string): Receiver {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return { kind: 'site', name: host };
  if (protocol === 'http:') return { kind: 'computer', name: hostname };
  return { kind: 'app', name: protocol.slice(0, -1) };
}
