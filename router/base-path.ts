/** Returns the `Path` of cookies of a server that is served below `basePath`, such as `/analytics`. */
export function cookiePath(basePath: string | undefined): string {
  return basePath === undefined || basePath === '' ? '/' : basePath;
}
