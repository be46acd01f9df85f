/** Marks tests that need something that this machine may lack, so that `npm test` can list what each needs. */

/**
 * Returns the title of tests that are skipped where something is missing.
 *
 * @param missing what is missing and how to get it, one line; undefined where it is here
 */
export function titleNeeding(title: string, missing: string | undefined): string {
  return missing === undefined ? title : `${title} [not run: ${missing}]`;
}

/** Returns what a skipped test needs, from the full title that `titleNeeding` has written. */
export function needOf(title: string): string | undefined {
  return /\[not run: ([^\]]+)\]/.exec(title)?.[1];
}
