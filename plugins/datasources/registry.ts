import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../router/capabilities/clock.ts';
import type {
  Datasource,
  DatasourceLoader,
  DatasourceProblem,
  DatasourceType,
} from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { DatasourceBoard, type LoadOutcome } from './board.ts';
import { fileStem, MAX_DESCRIPTOR_BYTES, type ParsedDescriptor, parseDescriptor } from './descriptor/parse.ts';
import { descriptorFiles, type FileText, readTextFile, writePrivately } from './files.ts';
import { type DatasourceHealth, degradedOf, missingOf } from './health.ts';
import { loadWithin } from './loading.ts';
import { type DescriptorFile, leftOver, plan, type Served, type Step } from './plan.ts';
import { type Probe, Reach } from './reach.ts';
import type { DatasourceStatus, RegisteredDatasource } from './registered.ts';
import { Watch } from './watch.ts';

/** Bytes of one semantic document or cube schema at most. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

export interface DatasourceRegistryOptions {
  /** The folder of the `.sds` files; made when it is missing. */
  readonly directory: string;
  readonly loaders: readonly DatasourceLoader[];
  readonly log: Log;
  readonly clock: Clock;
  /** Prefixes of JDBC URLs that have a driver: `Warehouses.supported`. */
  readonly supportedPrefixes: readonly string[];
  /** What the surfaces read of what is being loaded. */
  readonly board?: DatasourceBoard;
  /** Tells whether a warehouse answers; without it, all are taken to. */
  readonly probe?: Probe;
  /** Whether a path is no place for documents, such as the folder of the state. */
  readonly refusesDocument?: (path: string) => boolean;
  /** Between two tries of what a loader refused. */
  readonly retryMs?: number;
  /** Between two looks whether a warehouse that kept a datasource from being loaded answers again. */
  readonly probeMs?: number;
  /** A loader that has not answered after this is taken for failed, so that it cannot hold up the others. */
  readonly loadTimeoutMs?: number;
}

/** A datasource that its loader refused. */
interface Refusal {
  readonly fingerprint: string;
  readonly datasource: Datasource;
  readonly outcome: Exclude<LoadOutcome, 'served'>;
}

/** A datasource as a loader took it, and the fingerprint of what it was given. */
interface ServedVersion extends Served {
  readonly fingerprint: string;
  readonly warnings: readonly DatasourceProblem[];
}

/** What is to be loaded though nothing of it changed. */
interface Again {
  readonly refused?: boolean;
  readonly served?: boolean;
}

/**
 * Keeps the surfaces' datasources as the files say. Every change, of whatever kind, leads to the same thing: all
 * descriptors are read, it is decided what each is to become, and only what differs from before is loaded or unloaded.
 */
export class DatasourceRegistry {
  readonly #options: Required<DatasourceRegistryOptions>;
  readonly #directory: string;
  readonly #watch: Watch;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #reach: Reach;
  readonly #served = new Map<string, ServedVersion>();
  /** By file, what a loader refused last. */
  readonly #refusals = new Map<string, Refusal>();
  #entries = new Map<string, RegisteredDatasource>();
  /** Work on the registry, one piece after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Whether the last look at the files failed. */
  #isBlind = false;
  /** Resolves when every datasource that was there at the start has been loaded or refused. */
  readonly whenLoaded: Promise<void>;

  constructor(options: DatasourceRegistryOptions) {
    this.#options = {
      board: new DatasourceBoard(),
      probe: async () => undefined,
      refusesDocument: () => false,
      retryMs: 60_000,
      probeMs: 10_000,
      loadTimeoutMs: 30_000,
      ...options,
    };
    this.#reach = new Reach(this.#options.probe);
    this.#directory = resolve(options.directory);
    this.#watch = new Watch({
      directory: this.#directory,
      log: options.log,
      onChange: () => this.#inBackground(() => this.#reconcile()),
    });
    const retry = setInterval(() => this.#retry(), this.#options.retryMs);
    const probe = setInterval(() => void this.#lookForWarehouses(), this.#options.probeMs);
    this.#timers = [retry.unref(), probe.unref()];
    this.whenLoaded = this.#enqueue(() => this.#reconcile());
    this.whenLoaded.catch((error: unknown) => options.log.error({ err: error }, 'datasources could not be loaded'));
  }

  /** All descriptors by file name, with what became of each. */
  list(): readonly RegisteredDatasource[] {
    return [...this.#entries.values()].sort((left, right) => (left.file < right.file ? -1 : 1));
  }

  /**
   * Tells how the datasources are. Whether the warehouses of those that are served answer is asked on the way, as long
   * as `patienceMs`; what takes longer is told next time.
   */
  async health(patienceMs: number): Promise<DatasourceHealth> {
    const served = [...this.#served.values()];
    const asked = this.#reach.ask(served.map(({ datasource }) => datasource.warehouse));
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    const down = served.filter(({ datasource }) => !this.#reach.isUp(datasource.warehouse));
    return {
      missing: missingOf(this.#options.board, this.#isBlind),
      degraded: degradedOf(this.list(), new Set(down.map(({ file }) => basename(file)))),
    };
  }

  /** Loads everything anew, changed or not, and gives the list after that. */
  refresh(): Promise<readonly RegisteredDatasource[]> {
    return this.#enqueue(async () => {
      await this.#reconcile({ refused: true, served: true });
      return this.list();
    });
  }

  /** What this text would be as the descriptor `<stem>.sds`, with its document read. Nothing is written or loaded. */
  async examine(
    stem: string,
    source: string,
  ): Promise<{ readonly parsed: ParsedDescriptor; readonly document: FileText | undefined }> {
    const parsed = this.#parse(this.#fileOf(stem), source);
    const document = parsed.datasource && (await this.#readDocument(parsed.datasource.documentPath));
    return { parsed, document };
  }

  /**
   * Adds the descriptor `<stem>.sds` and loads it. Gives its entry, or the entry that already has its file name, id or
   * name, in which case nothing is written.
   */
  add(
    stem: string,
    source: string,
  ): Promise<{ readonly added: RegisteredDatasource } | { readonly taken: RegisteredDatasource }> {
    return this.#enqueue(async () => {
      // What lies in the folder now decides, not what lay there at the last look.
      await this.#reconcile();
      const { id, name } = this.#parse(this.#fileOf(stem), source);
      const taken = this.list().find((each) => each.file === `${stem}.sds` || each.id === id || each.name === name);
      if (taken !== undefined) return { taken };
      await writePrivately(this.#fileOf(stem), source);
      await this.#reconcile();
      const added = this.#entries.get(this.#fileOf(stem));
      if (added === undefined) throw new Error('a descriptor vanished right after it was written');
      return { added };
    });
  }

  /** Removes a descriptor file and what it serves. */
  remove({ file }: RegisteredDatasource): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#entries.has(join(this.#directory, file))) await unlink(join(this.#directory, file));
      await this.#reconcile();
    });
  }

  /** Stops watching. What is loaded stays loaded. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#watch.close();
    await this.#queue;
  }

  #fileOf(stem: string): string {
    return join(this.#directory, `${stem}.sds`);
  }

  #parse(file: string, source: string): ParsedDescriptor {
    return parseDescriptor(source, { file, supportedPrefixes: this.#options.supportedPrefixes });
  }

  /** What lies in the folder of the state and the warehouses is not even looked at: it may be told in error messages. */
  async #readDocument(path: string): Promise<FileText> {
    if (this.#options.refusesDocument(path)) return { unreadable: 'lies in the data folder, where no documents are' };
    return readTextFile(path, MAX_DOCUMENT_BYTES);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // A failure belongs to whoever asked for the work; the next piece starts all the same.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #retry(): void {
    if (this.#refusals.size > 0) this.#inBackground(() => this.#reconcile({ refused: true }));
  }

  /** Tries again what waits for its warehouse as soon as that answers. The asking itself holds nothing up. */
  async #lookForWarehouses(): Promise<void> {
    const waiting = [...this.#refusals.values()].filter(({ outcome }) => outcome === 'down');
    const answers = await Promise.all(waiting.map(({ datasource }) => this.#options.probe(datasource.warehouse)));
    if (answers.includes(true)) this.#retry();
  }

  /** Work that nobody waits for: its failure is told to the log. */
  #inBackground(work: () => Promise<void>): void {
    this.#enqueue(async () => {
      if (!this.#closed) await work();
    }).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'datasources could not be brought up to date'),
    );
  }

  async #reconcile(again: Again = {}): Promise<void> {
    try {
      await this.#bringUpToDate(again);
      this.#isBlind = false;
    } catch (error) {
      this.#isBlind = true;
      this.#options.board.begin([]);
      throw error;
    }
  }

  async #bringUpToDate(again: Again): Promise<void> {
    const { loaders, board } = this.#options;
    const descriptors = await this.#readDescriptors();
    const types = loaders.map((loader) => loader.type);
    const steps = plan(descriptors, [...this.#served.values()], types);
    await this.#watch.follow(documentsOf(steps));

    this.#forget(new Set(descriptors.map((descriptor) => descriptor.file)));
    for (const { datasource } of leftOver([...this.#served.values()], steps)) {
      this.#loaderOf(datasource.type)?.unload(datasource.id);
      this.#served.delete(datasource.id);
    }
    board.keepOnly(descriptors.map(({ name }) => name));
    board.begin(
      steps.flatMap((step) =>
        step.step === 'load' && !this.#served.has(step.datasource.id) ? [step.datasource.name] : [],
      ),
    );
    await Promise.all(steps.map((step) => this.#carryOut(step, again)));
  }

  async #carryOut(step: Step, again: Again): Promise<void> {
    const { descriptor } = step;
    if (step.step !== 'load') this.#refusals.delete(descriptor.file);
    switch (step.step) {
      case 'load':
        return this.#loadOne(descriptor, step.datasource, again);
      case 'keep':
        return this.#enter(descriptor, 'STALE', step.problems);
      case 'broken':
        return this.#enter(descriptor, 'BROKEN', step.problems);
      case 'disabled':
        return this.#enter(descriptor, 'DISABLED', []);
      case 'unsupported':
        return this.#enter(descriptor, 'UNSUPPORTED', [
          { severity: 'warning', message: `No surface of this installation reads the type ${descriptor.type}.` },
        ]);
    }
  }

  async #loadOne(descriptor: DescriptorFile, datasource: Datasource, again: Again): Promise<void> {
    try {
      await this.#load(descriptor, datasource, again);
    } finally {
      const outcome = this.#refusals.get(descriptor.file)?.outcome ?? 'served';
      this.#options.board.end(datasource.name, this.#served.has(datasource.id) ? 'served' : outcome);
    }
  }

  async #load(descriptor: DescriptorFile, datasource: Datasource, again: Again): Promise<void> {
    const { file } = descriptor;
    const read = await this.#readDocument(datasource.documentPath);
    const fingerprint = fingerprintOf(datasource, read);
    const served = this.#served.get(datasource.id);
    if (this.#refusals.get(file)?.fingerprint === fingerprint) {
      if (again.refused !== true) return;
    } else if (served?.fingerprint === fingerprint && again.served !== true) {
      // Also says so where a mistake was taken back before anything was loaded.
      this.#served.set(datasource.id, { ...served, file });
      return this.#enter(descriptor, 'READY', served.warnings);
    }

    const problems = 'text' in read ? await this.#ask(datasource, read.text) : [unreadable(datasource, read)];
    if (problems.some((problem) => problem.severity === 'error')) {
      const outcome = problems.some(({ warehouseIsDown }) => warehouseIsDown) ? 'down' : 'refused';
      this.#refusals.set(file, { fingerprint, datasource, outcome });
      return this.#enter(descriptor, served === undefined ? 'BROKEN' : 'STALE', problems);
    }
    this.#refusals.delete(file);
    this.#served.set(datasource.id, { file, datasource, fingerprint, warnings: problems });
    this.#enter(descriptor, 'READY', problems, served?.fingerprint !== fingerprint);
  }

  async #ask(datasource: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
    const { log, loadTimeoutMs } = this.#options;
    const loader = this.#loaderOf(datasource.type);
    if (loader === undefined) throw new Error(`no loader for ${datasource.type}`);
    return loadWithin(loader, datasource, text, {
      timeoutMs: loadTimeoutMs,
      log,
      onLate: () =>
        this.#inBackground(async () => {
          await this.#reconcile({ refused: true });
          // Its file went while it was being loaded: nobody else would ever unload it.
          if (!this.#served.has(datasource.id)) loader.unload(datasource.id);
        }),
    });
  }

  /** Keeps what became of a file, and logs it where it is news. */
  #enter(
    { file, id, name, type, enabled, problems: own }: DescriptorFile,
    status: DatasourceStatus,
    found: readonly DatasourceProblem[],
    isNewVersion = false,
  ): void {
    const problems = [...own, ...found].map(({ severity, message, line }) => ({ severity, message, line }));
    const before = this.#entries.get(file);
    const now = { file: basename(file), id, name, type, enabled, status, problems };
    if (!isNewVersion && before !== undefined && sameEntry(before, now)) return;
    const { log, clock } = this.#options;
    this.#entries.set(file, { ...now, updatedAtMillis: clock() });
    const fields = { datasource: now.file, status, problems: problems.map((problem) => problem.message) };
    if (status === 'READY' || status === 'DISABLED') log.info(fields, `datasource ${status.toLowerCase()}`);
    else log.warn(fields, `datasource ${status.toLowerCase()}`);
  }

  async #readDescriptors(): Promise<readonly DescriptorFile[]> {
    await mkdir(this.#directory, { recursive: true });
    const files = await descriptorFiles(this.#directory);
    return Promise.all(
      files.map(async (file): Promise<DescriptorFile> => {
        const stem = fileStem(file);
        const broken = (message: string) => {
          const problems = [{ severity: 'error', message }] as const;
          return { file, datasource: undefined, problems, id: stem, name: stem, type: undefined, enabled: true };
        };
        try {
          const read = await readTextFile(file, MAX_DESCRIPTOR_BYTES);
          return 'text' in read ? { ...this.#parse(file, read.text), file } : broken(`This file ${read.unreadable}.`);
        } catch (error) {
          // Whatever one file holds, the others serve.
          this.#options.log.error({ err: error, datasource: stem }, 'a descriptor could not be read');
          return broken('Something went wrong on our side while it was read; it has been logged.');
        }
      }),
    );
  }

  #forget(present: ReadonlySet<string>): void {
    for (const file of this.#entries.keys()) {
      if (present.has(file)) continue;
      this.#entries.delete(file);
      this.#refusals.delete(file);
      this.#options.log.info({ datasource: basename(file) }, 'datasource removed');
    }
  }

  #loaderOf(type: DatasourceType): DatasourceLoader | undefined {
    return this.#options.loaders.find((loader) => loader.type === type);
  }
}

function documentsOf(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ descriptor: { datasource } }) => (datasource === undefined ? [] : [datasource.documentPath])),
  );
}

function unreadable(
  { documentPath }: Datasource,
  { unreadable: why }: { readonly unreadable: string },
): DatasourceProblem {
  return { severity: 'error', message: `The document ${documentPath} ${why}.` };
}

/** Differs when anything that a loader is given differs. */
function fingerprintOf(datasource: Datasource, read: FileText): string {
  return createHash('sha256')
    .update(JSON.stringify([datasource, read]))
    .digest('base64');
}

function sameEntry({ updatedAtMillis: _, ...before }: RegisteredDatasource, now: object): boolean {
  return isDeepStrictEqual(before, now);
}
