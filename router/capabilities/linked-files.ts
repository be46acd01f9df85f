/** Files behind links that an administrator of the server allows. */
import type { ImportFile } from './file-import.ts';

export interface LinkedFile extends Pick<ImportFile, 'path' | 'name'> {
  readonly size: number;
}

export interface FetchedFiles {
  readonly files: readonly LinkedFile[];
  /** Identifies names and contents: equal for equal files. */
  readonly signature: string;
  /** Removes the files. */
  release(): Promise<void>;
}

export interface LinkedFiles {
  /** The hosts and beginnings of links that are allowed; none where links are off. */
  readonly allowed: readonly string[];
  /**
   * Downloads the files behind links. They stay until they are released, or the process ends.
   *
   * @throws ValidationError at `urls` where a link is not allowed, or no file can be read from it
   * @throws CancelledError once the signal is aborted
   */
  fetch(links: readonly string[], signal: AbortSignal | undefined): Promise<FetchedFiles>;
}

/** Returns a link without its query, which may contain a secret. */
export function shownLink(link: string): string {
  const [place = ''] = link.split(/[?#]/, 1);
  return place;
}
