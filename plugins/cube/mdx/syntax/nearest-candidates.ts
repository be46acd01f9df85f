import { nearestFirst } from '../../../query-surface/index.ts';

/**
 * Returns candidates for an unknown name, each once, most similar first. Equally similar candidates keep their order.
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 20): readonly string[] {
  return nearestFirst(name, [...new Set(candidates)]).slice(0, limit);
}
