import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { DatasourceStatus, RegisteredDatasource } from './registered-datasource.ts';
import type { DescriptorFile } from './reload-plan.ts';

/** The outcome of each descriptor file. Only changes are logged. */
export class Entries {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #entries = new Map<string, RegisteredDatasource>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Lists the datasources by file name. */
  list(): readonly RegisteredDatasource[] {
    return [...this.#entries.values()].sort((left, right) => (left.file < right.file ? -1 : 1));
  }

  /** @param file absolute path */
  get(file: string): RegisteredDatasource | undefined {
    return this.#entries.get(file);
  }

  /** Keeps the outcome of a file, and logs it if it has changed. */
  enter(
    { file, id, name, type, enabled, problems: descriptorProblems }: DescriptorFile,
    status: DatasourceStatus,
    loadProblems: readonly DatasourceProblem[],
    isNewVersion = false,
  ): void {
    const problems = [...descriptorProblems, ...loadProblems].map(({ severity, message, line }) => ({
      severity,
      message,
      line,
    }));
    const before = this.#entries.get(file);
    const now = { file: basename(file), id, name, type, enabled, status, problems };
    if (!isNewVersion && before !== undefined && sameEntry(before, now)) return;
    this.#entries.set(file, { ...now, updatedAtMillis: this.#clock() });
    const fields = { datasource: now.file, status, problems: problems.map((problem) => problem.message) };
    if (status === 'READY' || status === 'DISABLED') this.#log.info(fields, `datasource ${status.toLowerCase()}`);
    else this.#log.warn(fields, `datasource ${status.toLowerCase()}`);
  }

  /** Drops all files but these; gives those that were dropped. */
  keepOnly(present: ReadonlySet<string>): readonly string[] {
    const gone = [...this.#entries.keys()].filter((file) => !present.has(file));
    for (const file of gone) {
      this.#entries.delete(file);
      this.#log.info({ datasource: basename(file) }, 'datasource removed');
    }
    return gone;
  }
}

function sameEntry({ updatedAtMillis: _, ...before }: RegisteredDatasource, now: object): boolean {
  return isDeepStrictEqual(before, now);
}
