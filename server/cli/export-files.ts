/** `service export` of workbooks and documents: of a request, a saved query or a dashboard. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerFiles, OthersNeeded, PaperTask } from '../../router/capabilities/answer-files.ts';
import type { Others, TabularAnswer } from '../../router/capabilities/query-source.ts';
import type { FileAnswer } from '../../router/file-answer.ts';
import type { FileFormat, Paper } from '../../router/file-formats.ts';
import { entryPoint } from '../entry-points.ts';
import { DEFAULT_TENANT, isAccountName } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import type { SavedQuery } from '../launcher-offline.ts';
import { placesOf } from '../tenants/tenant-folders.ts';
import { ThreadPool } from '../workers/thread-pool.ts';
import { UsageError } from './option-values.ts';
import { answerWritten, type QueryOptions } from './query.ts';

export interface FileOptions extends QueryOptions {
  readonly paper?: Paper;
  readonly locale?: string;
  readonly timeZone?: string;
}

/**
 * Returns the text of a document in the repository of an installation.
 *
 * @throws UsageError for a path outside of it, CommandError where there is none
 */
export async function repositoryText(path: string, { home, tenant }: QueryOptions): Promise<string> {
  const setup = existingHome(home, tenant);
  const { repository } = placesOf(setup.home, tenant === DEFAULT_TENANT || !isAccountName(tenant) ? undefined : tenant);
  if (!/^(shared|homes\/[^/]+)\//.test(path) || path.split('/').includes('..'))
    throw new UsageError('The path of a document begins with shared/ or homes/NAME/.');
  return readFile(join(repository, path), 'utf8').catch(() => {
    throw new CommandError(`There is no document ${path} in this home.`);
  });
}

/** Writes an answer as a file. */
export async function fileOfAnswer(
  answer: TabularAnswer,
  title: string,
  format: FileFormat,
  options: FileOptions,
): Promise<FileAnswer> {
  const { answerFile, shownAnswer } = await import('../launcher-offline.ts');
  return withFiles((files) =>
    answerFile(files, shownAnswer(title, undefined, answer), [], { ...options, format }, undefined),
  );
}

/** Answers the tiles of a dashboard one after the other, and writes them as one file. */
export async function fileOfDashboard(path: string, format: FileFormat, options: FileOptions): Promise<FileAnswer> {
  const { dashboardFile, layoutOf, parseDashboard, parseOthers, parseSavedQuery, shownAnswer } = await import(
    '../launcher-offline.ts'
  );
  const dashboard = parseDashboard(await repositoryText(path, options));
  // A warehouse in a file is opened by one query at a time.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const tiles = dashboard.tiles.flatMap(({ id, title, query }) => {
    if (query === undefined) return [];
    const read = (others?: string) =>
      inTurn(async () => {
        const rest = others === undefined ? undefined : parseOthers(others, undefined);
        const saved: SavedQuery =
          'source' in query
            ? { version: 1, title: title ?? id, ...query }
            : parseSavedQuery(await repositoryText(query.path, options));
        const shown = shownAnswer(title ?? saved.title, saved.description, await answerOf(saved, rest, options));
        return saved.chart === undefined ? shown : { ...shown, chart: saved.chart };
      });
    return [{ id, title: title ?? id, read }];
  });
  // What filter tiles offer is for visitors of a page.
  const layout = await layoutOf(dashboard, async () => undefined);
  return withFiles((files) => dashboardFile(files, { layout, tiles }, { ...options, format }, undefined));
}

function answerOf(
  { source: { request }, analytics }: SavedQuery,
  others: Others | undefined,
  options: FileOptions,
): Promise<TabularAnswer> {
  if (others !== undefined || analytics === undefined)
    return answerWritten(Object(request), options, undefined, others);
  const { kind, ...parameters } = analytics;
  return answerWritten({ query: request, ...parameters }, options, { kind, onProgress() {} });
}

/** Gives the writers of files to `work`: workbooks in this thread, documents in another one, whose code is large. */
async function withFiles<T>(work: (files: AnswerFiles) => Promise<T>): Promise<T> {
  const { writeWorkbook } = await import('../launcher-offline.ts');
  const papers = new ThreadPool<PaperTask, Uint8Array | OthersNeeded>({
    module: entryPoint('paper-worker').module,
    size: 1,
  });
  try {
    return await work({ workbooks: { size: 1, run: writeWorkbook }, papers });
  } finally {
    await papers.close();
  }
}
