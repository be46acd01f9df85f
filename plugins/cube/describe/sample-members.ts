/** Reads some members of each level for descriptions of cubes. */
import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import { ServiceError } from '../../../router/errors.ts';
import type { MemberEntry } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { DimensionMetadata, LevelMetadata } from '../cube-metadata/cube-metadata.ts';

const SAMPLE_MEMBERS = 10;

/** The dimensions of a cube whose levels are sampled. */
export interface Sampled {
  readonly target: CubeTarget;
  readonly dimensions: readonly DimensionMetadata[];
}

export class SampleMembers {
  readonly #cache: Cache;
  readonly #log: Log;
  readonly #ttlMs: number;

  constructor(cache: Cache, log: Log, ttlMs: number) {
    this.#cache = cache;
    this.#log = log;
    this.#ttlMs = ttlMs;
  }

  /**
   * Returns samples by the level's unique name. A level that cannot be sampled must not break the description of a
   * cube.
   */
  async of({ target, dimensions }: Sampled, refresh: boolean, signal: AbortSignal | undefined) {
    const samples = new Map<string, readonly MemberEntry[]>();
    for (const { hierarchies } of dimensions) {
      for (const { levels } of hierarchies) {
        for (const level of levels) samples.set(level.uniqueName, await this.#sample(level, target, refresh, signal));
      }
    }
    return samples;
  }

  ofLevel(level: LevelMetadata, target: CubeTarget, signal: AbortSignal | undefined): Promise<readonly MemberEntry[]> {
    return this.#sample(level, target, false, signal);
  }

  async #sample(
    level: LevelMetadata,
    { engine, view, access, keyPrefix }: CubeTarget,
    refresh: boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemberEntry[]> {
    try {
      const { value } = await this.#cache.through<readonly MemberEntry[]>({
        key: [...keyPrefix, 'samples', JSON.stringify(access), view.name, level.uniqueName],
        ttlMs: this.#ttlMs,
        refresh,
        signal,
        sizeOf: (members) =>
          members.reduce((sum, { caption, uniqueName }) => sum + 64 + 2 * (caption.length + uniqueName.length), 64),
        compute: async (stop) => {
          const members = await engine.searchMembers(
            { cube: view.name, level: level.uniqueName, limit: SAMPLE_MEMBERS },
            { ...access, signal: stop },
          );
          return members.map(({ caption, uniqueName }) => ({ caption, uniqueName }));
        },
      });
      return value;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind === 'CANCELLED') throw error;
      this.#log.warn({ err: error, cube: view.name, level: level.uniqueName }, 'sample members cannot be read');
      return [];
    }
  }
}
