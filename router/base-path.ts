/** Returns the `Path` of cookies for a server below `basePath`, such as `/analytics`. */
export function cookiePath(basePath: string | undefined): string {
  return basePath === undefined || basePath === '' ? '/' : basePath;
}
