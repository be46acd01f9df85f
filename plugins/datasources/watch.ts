import { basename, dirname } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Log } from '../../router/capabilities/log.ts';
import { isJournal } from './journals.ts';

/**
 * The time in milliseconds from the first sign of a change to its report: a file that is saved in steps is read once.
 * It must stay above 50: chokidar drops a change of a file within 50 ms of the change before, so files must be read
 * after that time.
 */
const SETTLE_MS = 150;

export interface WatchOptions {
  /** The folder of the `.sds` files. */
  readonly directory: string;
  /**
   * Is called, at most once in `SETTLE_MS`, when something may have changed. What changed is for the listener to find out.
   */
  readonly onChange: () => void;
  readonly log: Log;
  /** The interval of scans in milliseconds; 0 waits for reports of the file system, which only local folders have. */
  readonly pollMs: number;
}

/**
 * Watches the descriptors and the documents they name. It watches folders and not files, so that editors that save by
 * renaming a new file into place are seen too.
 */
export class Watch {
  readonly #options: WatchOptions;
  #documents: ReadonlySet<string> = new Set();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Watches for changes of the descriptors and of exactly these documents from now on. */
  async follow(documents: ReadonlySet<string>): Promise<void> {
    if (this.#closed) return;
    if (this.#watcher !== undefined && sameMembers(documents, this.#documents)) return;
    const { directory, log, pollMs } = this.#options;
    const folders = new Set([directory, ...[...documents].map((document) => dirname(document))]);
    const previous = this.#watcher;
    this.#documents = documents;
    this.#watcher = watch([...folders], {
      depth: 0,
      ignoreInitial: true,
      ...(pollMs === 0 ? {} : { usePolling: true, interval: pollMs }),
      ignored: (path) =>
        !folders.has(path) && !documents.has(path) && !(dirname(path) === directory && countsHere(basename(path))),
    })
      // What changed between the reading of a file and the first watch over it would be missed otherwise.
      .on('ready', () => this.#changed())
      .on('all', () => this.#changed())
      .on('error', (error) =>
        log.warn({ err: error }, 'datasource files cannot be watched; refresh to read them again'),
      );
    await previous?.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#watcher?.close();
  }

  /** Starts the time at the first sign: a file that never comes to rest is still read now and then. */
  #changed(): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#options.onChange();
    }, SETTLE_MS);
  }
}

/** Returns whether a file is a descriptor, or prevents descriptors from being read. */
function countsHere(name: string): boolean {
  return name.endsWith('.sds') || isJournal(name);
}

function sameMembers(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((member) => right.has(member));
}
