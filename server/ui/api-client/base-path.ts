/**
 * Returns the path that a proxy serves this server below: the part of a page's address before `/ui/`, such as
 * `/analytics`; empty for none.
 */
function findBasePath(pathname: string): string {
  const pages = pathname.lastIndexOf('/ui/');
  return pages < 0 ? '' : pathname.slice(0, pages);
}

/** Prepends the base path to a path of this server: `/ui/api/` becomes `/analytics/ui/api/` below `/analytics`. */
export function withBasePath(path: string): string {
  return findBasePath(location.pathname) + path;
}
