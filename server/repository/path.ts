/** Repository paths: `homes/<user>/…` and `shared/…`, with exactly one spelling each. */

const MAX_SEGMENTS = 16;
const MAX_SEGMENT_BYTES = 200;
const MAX_PATH_BYTES = 1024;

/** A checked path of a document, safe to join to the repository's root on every platform. */
export interface RepositoryPath {
  /** All segments, the area first; the last one is the file's name. */
  readonly segments: readonly string[];
  readonly area: Area;
}

export type Area = { readonly kind: 'shared' } | { readonly kind: 'home'; readonly user: string };

/**
 * Reads a path from a caller. For a path that could mean anything except one plain file below the root, returns the problem as a text for the caller.
 */
export function parseRepositoryPath(text: string): RepositoryPath | { readonly problem: string } {
  if (Buffer.byteLength(text) > MAX_PATH_BYTES)
    return { problem: `A repository path has at most ${MAX_PATH_BYTES} bytes.` };
  const segments = text.split('/');
  if (segments.length > MAX_SEGMENTS) return { problem: `A repository path has at most ${MAX_SEGMENTS} segments.` };
  for (const segment of segments) {
    const problem = problemOfSegment(segment);
    if (problem !== undefined) return { problem };
  }
  const [first, second] = segments;
  if (first === 'shared' && segments.length >= 2) return { segments, area: { kind: 'shared' } };
  if (first === 'homes' && second !== undefined && segments.length >= 3)
    return { segments, area: { kind: 'home', user: second } };
  return { problem: 'A repository path is shared/<…>/<file> or homes/<user>/<…>/<file>.' };
}

/** Explains the problem of one segment of a path, as a text for the caller; `undefined` for a valid one. */
export function problemOfSegment(segment: string): string | undefined {
  if (segment === '') return 'A repository path begins without a slash and has no empty segments.';
  if (segment.startsWith('.')) return 'No segment of a repository path begins with a dot.';
  if (/[\\:]/.test(segment)) return 'A repository path has forward slashes only, and no colons.';
  if (/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|[\u202a-\u202e\u2066-\u2069]/u.test(segment))
    return 'A repository path has no control characters.';
  // Some file systems drop these, so that two spellings would name one file.
  if (/[. ]$/.test(segment)) return 'No segment of a repository path ends with a dot or a space.';
  // One name, one spelling: file systems differ in whether two Unicode forms of a name are the same file.
  if (segment !== segment.normalize('NFC')) return 'A repository path is in Unicode normalization form C.';
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
    return `A segment of a repository path has at most ${MAX_SEGMENT_BYTES} bytes.`;
  return undefined;
}
