/** The folder of every built script. A page may be deeper, and its address may contain the same name again. */
const SCRIPTS = '/ui/assets/';

/**
 * Returns the path that a proxy serves this server below: the part of the address of a script before `/ui/assets/`, such as
 * `/analytics`; empty for none.
 */
export function findBasePath(pathname: string): string {
  const scripts = pathname.lastIndexOf(SCRIPTS);
  return scripts < 0 ? '' : pathname.slice(0, scripts);
}

/** Prepends the base path to a path of this server: `/ui/api/` becomes `/analytics/ui/api/` below `/analytics`. */
export function withBasePath(path: string): string {
  return findBasePath(new URL(import.meta.url).pathname) + path;
}

/** Returns the segments of the page's address below `path`, decoded: `['shared', 'a b']` for `/ui/documents/shared/a%20b` below `/ui/documents/`. */
export function segmentsBelow(path: string, pathname: string = location.pathname): readonly string[] {
  const start = withBasePath(path);
  if (!pathname.startsWith(start)) return [];
  return pathname
    .slice(start.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign: the segment is not encoded.
    return segment;
  }
}

/** Returns the address below a page: `/ui/documents/shared/a%20b` for `/ui/documents/` and `['shared', 'a b']`. */
export function addressBelow(path: string, segments: readonly string[]): string {
  return withBasePath(path) + segments.map(encodeURIComponent).join('/');
}
