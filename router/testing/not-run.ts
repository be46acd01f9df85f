/** Marks tests that need what is not on this machine, so that `npm test` can say what each needs. */

/**
 * Returns the title of tests that are skipped where something is missing.
 *
 * @param missing what is missing and how to get it, one line; undefined where it is here
 */
export function titleNeeding(title: string, missing: string | undefined): string {
  return missing === undefined ? title : `${title} [not run: ${missing}]`;
}

/** Returns what a test needs by its full title, as `titleNeeding` has written it. */
export function needOf(title: string): string | undefined {
  return /\[not run: ([^\]]+)\]/.exec(title)?.[1];
}
