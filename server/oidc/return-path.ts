/** Maximum length of the path, which a browser keeps in a cookie while it is at the provider. */
const MAX_RETURN_PATH = 2_000;

/** Characters that some proxies read as a slash. */
const ENCODED_SLASH = /%2f|%5c/gi;

/**
 * Returns the path for a browser after sign-in: `text` where it names a page of this server, else the home page. The
 * parsed path is compared and written from its parts, so that a browser reads the compared path.
 *
 * @param text a path with its search and hash, as a caller gives it
 * @param publicUrl the address that browsers have of this server, without a slash at the end
 */
export function returnPath(text: string, publicUrl: string): string {
  const base = new URL(`${publicUrl}/`);
  const home = `${base.pathname}ui/`;
  if (text.length > MAX_RETURN_PATH || !text.startsWith('/') || !URL.canParse(text, base.href)) return home;
  const { origin, pathname, search, hash } = new URL(text, base);
  // `/.//elsewhere` is parsed to the path `//elsewhere`, which a browser reads as another host.
  const isBelow = [pathname, pathname.replace(ENCODED_SLASH, '/')].every((path) => leadsBelow(path, base));
  return origin === base.origin && isBelow ? pathname + search + hash : home;
}

/** Reports whether a browser that reads `path` stays below the base. */
function leadsBelow(path: string, base: URL): boolean {
  if (!URL.canParse(path, base.href)) return false;
  const { origin, pathname } = new URL(path, base);
  return origin === base.origin && pathname.startsWith(base.pathname) && !pathname.startsWith('//');
}
