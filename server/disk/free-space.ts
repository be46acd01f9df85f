import { statfs } from 'node:fs/promises';
import { diskFull } from '../../router/disk-full.ts';

/** The part of Node's `statfs` that has the free space. */
export type ReadFreeSpace = (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }>;

/** The free space on a folder's disk, and the minimum that the process reserves. */
export class FreeSpace {
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #read: ReadFreeSpace;

  /** @param minFreeBytes reserved space that uploads never use: sessions, jobs and datasources are written there */
  constructor(folder: string, minFreeBytes: number, read: ReadFreeSpace = statfs) {
    this.#folder = folder;
    this.#minFreeBytes = minFreeBytes;
    this.#read = read;
  }

  /** Returns whether the reserved space stays free after `bytes` more. A disk that cannot be queried counts as free. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    try {
      const { bavail, bsize } = await this.#read(this.#folder);
      return bavail * bsize - bytes >= this.#minFreeBytes;
    } catch {
      return true; // Without this information, a write to a full disk still fails.
    }
  }

  /** @throws UnavailableError `STORAGE_FULL` */
  async requireRoomFor(bytes: number): Promise<void> {
    if (!(await this.hasRoomFor(bytes))) throw diskFull();
  }
}
