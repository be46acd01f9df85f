import { distance } from 'fastest-levenshtein';

/** Candidates for a name that is not known, nearest first; of equally near ones in their own order. */
export function nearest(name: string, candidates: Iterable<string>, limit = 20): readonly string[] {
  const wanted = name.toLowerCase();
  return [...new Set(candidates)]
    .map((candidate, index) => ({ candidate, index, far: distance(wanted, candidate.toLowerCase()) }))
    .toSorted((left, right) => left.far - right.far || left.index - right.index)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
