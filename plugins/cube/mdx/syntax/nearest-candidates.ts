import { nearestFirst } from '../../../query-surface/index.ts';

/**
 * Returns candidates for a name that is not known, each once, the most alike first; of equally alike ones in their own
 * order.
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 20): readonly string[] {
  return nearestFirst(name, [...new Set(candidates)]).slice(0, limit);
}
