/** Decides which links are allowed: by a beginning such as `https://files.example.com/exports/`, or by a host. */

export interface AllowedLink {
  /** As the setting has it. */
  readonly text: string;
  readonly protocol: 'https:' | 'http:';
  /** With its port, where it is not the protocol's own; `*.example.com` stands for all hosts below. */
  readonly host: string;
  /** Ends in a slash, or is a whole path. */
  readonly path: string;
}

/** Reads an entry of `service.links.allow`; `undefined` where it is none. */
export function parseAllowedLink(text: string): AllowedLink | undefined {
  const isPlain = !text.includes('://');
  const [, below = ''] = /^(\*\.)/.exec(text.replace(/^https?:\/\//i, '')) ?? [];
  const written = isPlain ? `https://${text}` : text;
  const url = URL.parse(written.replace('://*.', '://'));
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return { text, protocol: url.protocol, host: `${below}${url.host}`, path: url.pathname };
}

/** Returns whether a link begins as an entry allows. */
export function isAllowed(url: URL, allowed: readonly AllowedLink[]): boolean {
  return allowed.some(({ protocol, host, path }) => {
    if (url.protocol !== protocol) return false;
    if (!(host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host)) return false;
    if (path === '/') return true;
    // Some servers read an encoded slash as one, which would lead out of the folder.
    if (/%(2f|5c|2e)/i.test(url.pathname)) return false;
    return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  });
}
