/** The folder of a tenant's descriptors: reading them and the documents they name, and writing them. */
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { fileStem, MAX_DESCRIPTOR_BYTES, type ParsedDescriptor, parseDescriptor } from './descriptor/parse.ts';
import { descriptorFiles, type FileText, readTextFile, writePrivately } from './files.ts';
import type { DescriptorFile } from './reload-plan.ts';

/** Bytes of one semantic document or cube schema at most. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

export interface DescriptorFolderOptions {
  /** The folder of the `.sds` files; made when it is missing. */
  readonly directory: string;
  readonly log: Log;
  /** Prefixes of JDBC URLs that have a driver: `Warehouses.supported`. */
  readonly supportedPrefixes: readonly string[];
  /** Returns whether a path is forbidden for documents, such as the folder of the state. */
  readonly refusesDocument: (path: string) => boolean;
  /** Returns whether the folder's owner still exists; nothing is read or made for one that is gone. */
  readonly isOwned: () => Promise<boolean>;
}

/** A descriptor that is gone. */
export interface RemovedDescriptor {
  readonly datasource: Datasource;
  /** The text of its file. */
  readonly source: string;
}

export class DescriptorFolder {
  readonly directory: string;
  readonly #options: DescriptorFolderOptions;

  constructor(options: DescriptorFolderOptions) {
    this.#options = options;
    this.directory = resolve(options.directory);
  }

  fileOf(stem: string): string {
    return join(this.directory, `${stem}.sds`);
  }

  parse(file: string, source: string): ParsedDescriptor {
    return parseDescriptor(source, { file, supportedPrefixes: this.#options.supportedPrefixes });
  }

  /**
   * Reads a document. Refuses the folder of the state and the warehouses before reading: error messages could quote
   * it.
   */
  async readDocument(path: string): Promise<FileText> {
    if (this.#options.refusesDocument(path)) return { unreadable: 'lies in the data folder, where no documents are' };
    return readTextFile(path, MAX_DOCUMENT_BYTES);
  }

  /** Reads all current descriptors, by file name. */
  async readAll(): Promise<readonly DescriptorFile[]> {
    if (!(await this.#options.isOwned())) return [];
    await mkdir(this.directory, { recursive: true });
    // Its tenant may have been removed with its folders since it was looked: the empty folder goes again.
    if (!(await this.#options.isOwned())) {
      await rmdir(this.directory).catch(() => undefined);
      return [];
    }
    const files = await descriptorFiles(this.directory);
    return Promise.all(files.map((file) => this.#read(file)));
  }

  async #read(file: string): Promise<DescriptorFile> {
    const stem = fileStem(file);
    const broken = (message: string) => {
      const problems = [{ severity: 'error', message }] as const;
      return { file, datasource: undefined, problems, id: stem, name: stem, type: undefined, enabled: true };
    };
    try {
      const read = await readTextFile(file, MAX_DESCRIPTOR_BYTES);
      return 'text' in read ? { ...this.parse(file, read.text), file } : broken(`This file ${read.unreadable}.`);
    } catch (error) {
      // One file never keeps the others from being served.
      this.#options.log.error({ err: error, datasource: stem }, 'a descriptor could not be read');
      return broken('Something went wrong on our side while it was read; it has been logged.');
    }
  }

  /** Writes `<stem>.sds` whole. */
  write(stem: string, source: string): Promise<void> {
    return writePrivately(this.fileOf(stem), source);
  }

  /**
   * Removes a descriptor and returns its content; `undefined` where it could not be read.
   *
   * @param file its name
   */
  async remove(file: string): Promise<RemovedDescriptor | undefined> {
    const path = join(this.directory, file);
    const read = await readTextFile(path, MAX_DESCRIPTOR_BYTES);
    await unlink(path);
    if (!('text' in read)) return undefined;
    const { datasource } = this.parse(path, read.text);
    return datasource && { datasource, source: read.text };
  }
}
