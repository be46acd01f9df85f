import { statfs } from 'node:fs/promises';
import { diskFull } from '../../router/disk-full.ts';

/** The part of Node's `statfs` that has the free space. */
export type ReadFreeSpace = (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }>;

/** The space that is left on the disk of a folder, and the least that the process keeps for itself. */
export class FreeSpace {
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #read: ReadFreeSpace;

  /** @param minFreeBytes what uploads never take: sessions, jobs and datasources are written there */
  constructor(folder: string, minFreeBytes: number, read: ReadFreeSpace = statfs) {
    this.#folder = folder;
    this.#minFreeBytes = minFreeBytes;
    this.#read = read;
  }

  /** Tells whether `bytes` more leave the least space free. A disk that cannot be asked is taken to have room. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    try {
      const { bavail, bsize } = await this.#read(this.#folder);
      return bavail * bsize - bytes >= this.#minFreeBytes;
    } catch {
      return true; // Where the file system tells nothing, a write that fails still does.
    }
  }

  /** @throws UnavailableError `STORAGE_FULL` */
  async requireRoomFor(bytes: number): Promise<void> {
    if (!(await this.hasRoomFor(bytes))) throw diskFull();
  }
}
