/**
 * Returns the path that this server is served below: what stands before `/ui/` in the address of a page, such as
 * `/analytics`; empty for none.
 */
function basePathOf(pathname: string): string {
  const pages = pathname.lastIndexOf('/ui/');
  return pages < 0 ? '' : pathname.slice(0, pages);
}

/** Writes a path of this server as its pages link to it: `/ui/api/` is `/analytics/ui/api/` below `/analytics`. */
export function below(path: string): string {
  return basePathOf(location.pathname) + path;
}
