import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { InternalError, ValidationError } from '../../../router/errors.ts';
import type { DetectorFindings } from '../detect/findings.ts';
import type { KeyPair } from '../detect/foreign-keys/pair-places.ts';
import { MAX_COLUMNS_WORKED_AT_ONCE, WORK_TIMEOUT_MS } from '../limits.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import type { RuleOptions } from '../rules/propose-by-rules.ts';
import type { SchemaProfile, Table } from '../schemas.ts';
import { type InferenceResult, type InferenceTask, type RenderedProposal, type RuleProposal, workOn } from './tasks.ts';

export type InferencePool = WorkerPool<InferenceTask, InferenceResult>;

/** Does small work at once and hands the rest to a pool, where there is one. */
export class InferenceWork {
  readonly #pool: InferencePool | undefined;

  constructor(pool: InferencePool | undefined) {
    this.#pool = pool;
  }

  /** Returns the pairs of columns that are worth looking up. */
  async pairs(tables: readonly Table[], signal?: AbortSignal): Promise<readonly KeyPair[]> {
    const result = await this.#run({ kind: 'pairs', tables }, countColumns(tables), signal);
    return result.kind === 'pairs' ? result.value : mismatch();
  }

  /**
   * Returns the findings of the detectors.
   *
   * @throws ValidationError when the profile is too large for the time limit
   */
  async findings(profile: SchemaProfile, signal?: AbortSignal): Promise<DetectorFindings> {
    const { tables, references } = profile;
    const result = await this.#run({ kind: 'findings', profile: { tables, references } }, countColumns(tables), signal);
    return result.kind === 'findings' ? result.value : mismatch();
  }

  /** Returns the proposal of the rules. @throws ValidationError when the profile is too large to be looked through in time */
  async rules(profile: SchemaProfile, options: RuleOptions, signal?: AbortSignal): Promise<RuleProposal> {
    const { tables, references } = profile;
    const task = { kind: 'rules', profile: { tables, references }, options } as const;
    const result = await this.#run(task, countColumns(tables), signal);
    return result.kind === 'rules' ? result.value : mismatch();
  }

  /** Returns a proposal as a cube schema. @throws ValidationError when it is too large to be read in time */
  async render(proposal: CubeProposal, signal?: AbortSignal): Promise<RenderedProposal> {
    const size = proposal.cubes
      .flatMap(({ measures, dimensions }) => [measures.length, ...dimensions.map(({ levels }) => levels.length)])
      .reduce((sum, each) => sum + each, 0);
    const result = await this.#run({ kind: 'render', proposal }, size, signal);
    return result.kind === 'render' ? result.value : mismatch();
  }

  async #run(task: InferenceTask, size: number, signal: AbortSignal | undefined): Promise<InferenceResult> {
    if (this.#pool === undefined || size <= MAX_COLUMNS_WORKED_AT_ONCE) return workOn(task);
    const limit = AbortSignal.timeout(WORK_TIMEOUT_MS);
    try {
      return await this.#pool.run(task, signal === undefined ? limit : AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      throw ValidationError.at(
        [task.kind === 'render' ? 'proposal' : 'profile'],
        `It is too large: it takes longer than ${WORK_TIMEOUT_MS / 1000} s. Send fewer tables.`,
      );
    }
  }
}

function countColumns(tables: readonly Table[]): number {
  return tables.reduce((sum, { columns }) => sum + columns.length, 0);
}

function mismatch(): never {
  throw new InternalError('A worker has answered another task.');
}
