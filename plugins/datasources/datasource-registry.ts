import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Clock } from '../../router/capabilities/clock.ts';
import type {
  Datasource,
  DatasourceLoader,
  DatasourceProblem,
  DatasourceType,
} from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { DatasourceBoard, type LoadOutcome } from './board.ts';
import { MAX_DESCRIPTOR_BYTES, type ParsedDescriptor } from './descriptor/parse.ts';
import { Entries } from './entries.ts';
import { type FileText, readTextFile } from './files.ts';
import { DescriptorFolder, type DescriptorFolderOptions, type RemovedDescriptor } from './folder.ts';
import { type DatasourceHealth, degradedOf, missingOf } from './health.ts';
import { loadWithin } from './load-within.ts';
import type { RegisteredDatasource } from './registered-datasource.ts';
import { type DescriptorFile, leftOver, plan, type Served, type Step } from './reload-plan.ts';
import { type Probe, WarehouseAvailability } from './warehouse-availability.ts';
import { Watch } from './watch.ts';

/** Without `refusesDocument` no place is refused, and without `isOwned` the folder belongs to the process. */
export interface DatasourceRegistryOptions
  extends Omit<DescriptorFolderOptions, Optional>,
    Partial<Pick<DescriptorFolderOptions, Optional>> {
  readonly loaders: readonly DatasourceLoader[];
  readonly log: Log;
  readonly clock: Clock;
  /** The board that the surfaces read. */
  readonly board?: DatasourceBoard;
  /** Returns whether a warehouse answers; without it, all are taken to. */
  readonly probe?: Probe;
  /** The interval between two scans of the files, where the file system reports no changes; 0 where it does. */
  readonly pollMs?: number;
  /** The interval between two attempts to load a refused datasource. */
  readonly retryMs?: number;
  /** Between two looks whether a warehouse that kept a datasource from being loaded answers again. */
  readonly probeMs?: number;
  /** Milliseconds after which a loader counts as failed, so that it cannot delay the others. */
  readonly loadTimeoutMs?: number;
}

type Optional = 'refusesDocument' | 'isOwned';

/** A datasource that its loader refused. */
interface Refusal {
  readonly fingerprint: string;
  readonly datasource: Datasource;
  readonly outcome: Exclude<LoadOutcome, 'served'>;
}

/** A datasource as its loader took it, and the fingerprint of its input. */
interface ServedVersion extends Served {
  readonly fingerprint: string;
  readonly warnings: readonly DatasourceProblem[];
}

/** A usable descriptor, with what became of it. */
export interface DescribedDatasource {
  readonly entry: RegisteredDatasource;
  readonly datasource: Datasource;
  /** The text of its file. */
  readonly source: string;
}

/** Datasources to load again without a change. */
interface Again {
  readonly refused?: boolean;
  /** All, or the ids of some. */
  readonly served?: true | ReadonlySet<string>;
}

/**
 * Keeps the surfaces' datasources of one tenant as the files of its folder say. Every change, of whatever kind, leads to the same thing: all
 * descriptors are read, it is decided what each is to become, and only what differs from before is loaded or unloaded.
 */
export class DatasourceRegistry {
  readonly #options: Required<DatasourceRegistryOptions>;
  readonly #folder: DescriptorFolder;
  readonly #entries: Entries;
  readonly #watch: Watch;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #reach: WarehouseAvailability;
  readonly #served = new Map<string, ServedVersion>();
  /** The last refusal of a loader, by file. */
  readonly #refusals = new Map<string, Refusal>();
  /** Work on the registry, one piece after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  #isReleased = false;
  /** Whether the last scan of the files failed. */
  #isBlind = false;
  /** Resolves when every datasource that was there at the start has been loaded or refused. */
  readonly whenLoaded: Promise<void>;

  constructor(options: DatasourceRegistryOptions) {
    this.#options = {
      board: new DatasourceBoard(),
      probe: async () => undefined,
      refusesDocument: () => false,
      isOwned: async () => true,
      pollMs: 0,
      retryMs: 60_000,
      probeMs: 10_000,
      loadTimeoutMs: 30_000,
      ...options,
    };
    this.#reach = new WarehouseAvailability(this.#options.probe);
    this.#folder = new DescriptorFolder(this.#options);
    this.#entries = new Entries(options.log, options.clock);
    this.#watch = new Watch({
      directory: this.#folder.directory,
      log: options.log,
      pollMs: this.#options.pollMs,
      onChange: () => this.#inBackground(() => this.#reconcile()),
    });
    const retry = setInterval(() => this.#retry(), this.#options.retryMs);
    const probe = setInterval(() => void this.#lookForWarehouses(), this.#options.probeMs);
    this.#timers = [retry.unref(), probe.unref()];
    this.whenLoaded = this.#enqueue(() => this.#reconcile());
    this.whenLoaded.catch((error: unknown) => options.log.error({ err: error }, 'datasources could not be loaded'));
  }

  /** Lists all descriptors by file name, with what became of each. */
  list(): readonly RegisteredDatasource[] {
    return this.#entries.list();
  }

  /**
   * Reports how the datasources are. Checks the warehouses of served datasources, for at most `patienceMs`; a later
   * answer counts in the next report.
   */
  async health(patienceMs: number): Promise<DatasourceHealth> {
    const served = [...this.#served.values()];
    const reached = this.#reach.ask(served.map(({ datasource }) => datasource.warehouse));
    await Promise.race([reached, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    const down = served.filter(({ datasource }) => !this.#reach.isUp(datasource.warehouse));
    return {
      missing: missingOf(this.#options.board, this.#isBlind),
      degraded: degradedOf(this.list(), new Set(down.map(({ file }) => basename(file)))),
    };
  }

  /** Loads everything again, changed or not, and returns the list after that. */
  refresh(): Promise<readonly RegisteredDatasource[]> {
    return this.#enqueue(async () => {
      await this.#reconcile({ refused: true, served: true });
      return this.list();
    });
  }

  /** Loads some datasources again, changed or not, and returns their entries. */
  reload(ids: ReadonlySet<string>): Promise<readonly RegisteredDatasource[]> {
    return this.#enqueue(async () => {
      await this.#reconcile({ refused: true, served: ids });
      return this.list().filter(({ id }) => ids.has(id));
    });
  }

  /** Returns the folder of the descriptors. */
  get directory(): string {
    return this.#folder.directory;
  }

  /** Parses a text as the descriptor `<stem>.sds`. */
  parse(stem: string, source: string): ParsedDescriptor {
    return this.#folder.parse(this.#folder.fileOf(stem), source);
  }

  /** Parses a text as the descriptor `<stem>.sds` and reads its document. Nothing is written or loaded. */
  async examine(
    stem: string,
    source: string,
  ): Promise<{ readonly parsed: ParsedDescriptor; readonly document: FileText | undefined }> {
    const parsed = this.parse(stem, source);
    const document = parsed.datasource && (await this.#folder.readDocument(parsed.datasource.documentPath));
    return { parsed, document };
  }

  /** Reads all descriptors that can be used, with the texts of their files. */
  async described(): Promise<readonly DescribedDatasource[]> {
    const described: DescribedDatasource[] = [];
    for (const entry of this.list()) {
      const read = await readTextFile(join(this.directory, entry.file), MAX_DESCRIPTOR_BYTES);
      const datasource =
        'text' in read ? this.parse(entry.file.replace(/\.sds$/, ''), read.text).datasource : undefined;
      if (datasource !== undefined && 'text' in read) described.push({ entry, datasource, source: read.text });
    }
    return described;
  }

  /** Reads a document as a load does. */
  readDocument(path: string): Promise<FileText> {
    return this.#folder.readDocument(path);
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
      const { id, name } = this.parse(stem, source);
      const taken = this.list().find((each) => each.file === `${stem}.sds` || each.id === id || each.name === name);
      if (taken !== undefined) return { taken };
      await this.#folder.write(stem, source);
      await this.#reconcile();
      return { added: this.#added(stem) };
    });
  }

  /**
   * Does something to the folder that adds several descriptors at once, and loads them. Nothing else of the registry runs
   * meanwhile. Returns the entries of the files.
   *
   * @param work is given the list as it is before
   */
  addTogether(
    stems: readonly string[],
    work: (list: readonly RegisteredDatasource[]) => Promise<void>,
  ): Promise<readonly RegisteredDatasource[]> {
    return this.#enqueue(async () => {
      await this.#reconcile();
      await work(this.list());
      await this.#reconcile();
      return stems.map((stem) => this.#added(stem));
    });
  }

  /**
   * Removes a descriptor file and stops serving it. Returns its content; `undefined` where the file is gone already or
   * could not be read.
   */
  remove({ file }: RegisteredDatasource): Promise<RemovedDescriptor | undefined> {
    return this.#enqueue(async () => {
      const removed = this.list().some((entry) => entry.file === file) ? await this.#folder.remove(file) : undefined;
      await this.#reconcile();
      return removed;
    });
  }

  /** Stops watching. Loaded datasources stay loaded. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#watch.close();
    await this.#queue;
  }

  /** Stops watching and unloads everything. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.close();
    for (const { datasource } of this.#served.values()) this.#loaderOf(datasource.type)?.unload(datasource.id);
    this.#served.clear();
  }

  #added(stem: string): RegisteredDatasource {
    const added = this.#entries.get(this.#folder.fileOf(stem));
    if (added === undefined) throw new Error('a descriptor vanished right after it was written');
    return added;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // A failure belongs to the caller of the work; the next piece starts all the same.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #retry(): void {
    if (this.#refusals.size > 0) this.#inBackground(() => this.#reconcile({ refused: true }));
  }

  /** Retries datasources that wait for their warehouse as soon as it answers. The probe itself blocks nothing. */
  async #lookForWarehouses(): Promise<void> {
    const waiting = [...this.#refusals.values()].filter(({ outcome }) => outcome === 'down');
    const answers = await Promise.all(waiting.map(({ datasource }) => this.#options.probe(datasource.warehouse)));
    if (answers.includes(true)) this.#retry();
  }

  /** Runs work in the background. Its failure is logged. */
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
    const descriptors = await this.#folder.readAll();
    const types = loaders.map((loader) => loader.type);
    const steps = plan(descriptors, [...this.#served.values()], types);
    await this.#watch.follow(documentsOf(steps));

    for (const file of this.#entries.keepOnly(new Set(descriptors.map((descriptor) => descriptor.file))))
      this.#refusals.delete(file);
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
        return this.#entries.enter(descriptor, 'STALE', step.problems);
      case 'broken':
        return this.#entries.enter(descriptor, 'BROKEN', step.problems);
      case 'disabled':
        return this.#entries.enter(descriptor, 'DISABLED', []);
      case 'unsupported':
        return this.#entries.enter(descriptor, 'UNSUPPORTED', [
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
    const read = await this.#folder.readDocument(datasource.documentPath);
    const fingerprint = fingerprintOf(datasource, read);
    const served = this.#served.get(datasource.id);
    if (this.#refusals.get(file)?.fingerprint === fingerprint) {
      if (again.refused !== true) return;
    } else if (served?.fingerprint === fingerprint && !isLoadedAgain(again, datasource.id)) {
      // Also reports a mistake that was corrected before anything was loaded.
      this.#served.set(datasource.id, { ...served, file });
      return this.#entries.enter(descriptor, 'READY', served.warnings);
    }

    const problems = 'text' in read ? await this.#ask(datasource, read.text) : [unreadable(datasource, read)];
    if (problems.some((problem) => problem.severity === 'error')) {
      const outcome = problems.some(({ warehouseIsDown }) => warehouseIsDown) ? 'down' : 'refused';
      this.#refusals.set(file, { fingerprint, datasource, outcome });
      return this.#entries.enter(descriptor, served === undefined ? 'BROKEN' : 'STALE', problems);
    }
    this.#refusals.delete(file);
    this.#served.set(datasource.id, { file, datasource, fingerprint, warnings: problems });
    this.#entries.enter(descriptor, 'READY', problems, served?.fingerprint !== fingerprint);
  }

  async #ask(datasource: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
    const { log, loadTimeoutMs } = this.#options;
    const loader = this.#loaderOf(datasource.type);
    if (loader === undefined) throw new Error(`no loader for ${datasource.type}`);
    return loadWithin(loader, datasource, text, {
      timeoutMs: loadTimeoutMs,
      log,
      onLate: () => {
        if (this.#isReleased) return loader.unload(datasource.id);
        this.#inBackground(async () => {
          await this.#reconcile({ refused: true });
          // Its file was removed while it was being loaded, so nothing else would unload it.
          if (!this.#served.has(datasource.id)) loader.unload(datasource.id);
        });
      },
    });
  }

  #loaderOf(type: DatasourceType): DatasourceLoader | undefined {
    return this.#options.loaders.find((loader) => loader.type === type);
  }
}

function isLoadedAgain({ served }: Again, id: string): boolean {
  return served === true || (served?.has(id) ?? false);
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

/** Returns a text that differs when anything that a loader is given differs. */
function fingerprintOf(datasource: Datasource, read: FileText): string {
  return createHash('sha256')
    .update(JSON.stringify([datasource, read]))
    .digest('base64');
}
