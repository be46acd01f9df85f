import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import { PerTenant } from '../../router/per-tenant.ts';
import type { SkillErrorCode, SkillFault } from './error-codes.ts';
import { MAX_SKILL_BYTES } from './limits.ts';
import { listSkillFiles, type SkillFile } from './list-skill-files.ts';
import { parseSkill, type Skill } from './parse-skill.ts';

/** A file that is not a skill, with the reason. */
export interface SkillError {
  /** Relative to the skills folder, with forward slashes. */
  readonly path: string;
  readonly code: SkillErrorCode;
  readonly message: string;
}

/** The skills of one scan. */
export interface SkillCatalogue {
  /** By name, in the order of the names. */
  readonly skills: ReadonlyMap<string, Skill>;
  /** In the order of the paths. */
  readonly errors: readonly SkillError[];
}

interface ReadFile {
  readonly signature: string;
  readonly skill: Skill | SkillFault;
}

/**
 * Files read before other work of the process has its turn. They are small and read synchronously: through the thread
 * pool a thousand of them take three times as long.
 */
const FILES_PER_TURN = 50;

/** A file that changed this shortly before it was read may change again without a new modification time. */
const TIMESTAMP_GRAIN_MS = 100;

/**
 * The skills folder as a catalogue. Every request lists the folder, and reads only files whose signature changed. An
 * unchanged folder costs one stat per file.
 */
export class SkillFolder {
  readonly #directory: string;
  readonly #clock: Clock;
  #files = new Map<string, ReadFile>();
  #latest: { readonly signature: string; readonly catalogue: SkillCatalogue } | undefined;
  #running: Promise<SkillCatalogue> | undefined;
  #queued: Promise<SkillCatalogue> | undefined;
  /** Counts the calls of `refresh`: the result of a scan that began before the last call is discarded. */
  #refreshes = 0;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /**
   * Returns the skills as the folder has them at the time of the call. Calls during a scan share the next one, which
   * sees what was written before they came.
   */
  scan(): Promise<SkillCatalogue> {
    if (this.#running === undefined) return this.#start();
    this.#queued ??= this.#running.then(
      () => this.#startQueued(),
      () => this.#startQueued(),
    );
    return this.#queued;
  }

  /** Reads every file again, even with an unchanged signature. */
  refresh(): Promise<SkillCatalogue> {
    this.#refreshes++;
    this.#files = new Map();
    this.#latest = undefined;
    return this.scan();
  }

  #startQueued(): Promise<SkillCatalogue> {
    this.#queued = undefined;
    return this.#start();
  }

  #start(): Promise<SkillCatalogue> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #read(): Promise<SkillCatalogue> {
    const refreshes = this.#refreshes;
    const { files, unreadable } = await listSkillFiles(this.#directory);
    const signature = JSON.stringify([files.map(({ path, signature }) => [path, signature]), unreadable]);
    if (this.#latest?.signature === signature) return this.#latest.catalogue;

    const previousFiles = this.#files;
    const read = new Map<string, ReadFile>();
    const waiting = files.filter((file) => {
      const before = previousFiles.get(file.path);
      if (before?.signature === file.signature) read.set(file.path, before);
      return before?.signature !== file.signature;
    });
    const readAt = this.#clock();
    let isSettled = true;
    for (const [index, file] of waiting.entries()) {
      if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await nextTurn();
      const skill = this.#readFile(file);
      const isFresh = readAt - file.mtimeMs < TIMESTAMP_GRAIN_MS;
      if (isFresh) isSettled = false;
      read.set(file.path, { signature: isFresh ? '' : file.signature, skill });
    }
    const catalogue = toCatalogue(files, read, unreadable);
    if (refreshes !== this.#refreshes) return catalogue;
    this.#files = read;
    this.#latest = isSettled ? { signature, catalogue } : undefined;
    return catalogue;
  }

  #readFile({ path, size }: SkillFile): Skill | SkillFault {
    if (size > MAX_SKILL_BYTES) {
      return { code: 'IO_ERROR', message: `The file is larger than ${MAX_SKILL_BYTES} bytes.` };
    }
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(this.#directory, path));
    } catch {
      return { code: 'IO_ERROR', message: 'The file cannot be read.' };
    }
    if (!isUtf8(bytes)) return { code: 'IO_ERROR', message: 'The file is not UTF-8 text.' };
    return parseSkill(bytes.toString('utf8'));
  }
}

/** The skills of all tenants, each with its own folder. */
export class SkillFolders {
  readonly #folders: PerTenant<Promise<SkillFolder>>;

  /** @param directoryOf returns the folder of a tenant's skills; the folder need not exist */
  constructor(directoryOf: (tenant: TenantId) => Promise<string>, clock: Clock) {
    this.#folders = new PerTenant(async (tenant) => {
      try {
        return new SkillFolder(await directoryOf(tenant), clock);
      } catch (error) {
        this.#folders.delete(tenant);
        throw error;
      }
    });
  }

  /** Scans the folder of the caller's tenant; see `SkillFolder.scan`. */
  async scan({ tenant }: Pick<Scope, 'tenant'>): Promise<SkillCatalogue> {
    return (await this.#folders.of(tenant)).scan();
  }

  /** Refreshes the folder of the caller's tenant; see `SkillFolder.refresh`. */
  async refresh({ tenant }: Pick<Scope, 'tenant'>): Promise<SkillCatalogue> {
    return (await this.#folders.of(tenant)).refresh();
  }
}

/** Makes the catalogue; of several files with one name the first by path wins. */
function toCatalogue(
  files: readonly SkillFile[],
  read: ReadonlyMap<string, ReadFile>,
  unreadable: readonly { readonly path: string; readonly reason: string }[],
): SkillCatalogue {
  const paths = new Map<string, string>();
  const skills: Skill[] = [];
  const errors: SkillError[] = unreadable.map(({ path, reason }) => ({ path, code: 'IO_ERROR', message: reason }));
  for (const { path } of files) {
    const skill = read.get(path)?.skill;
    if (skill === undefined) continue;
    if ('code' in skill) {
      errors.push({ path, ...skill });
      continue;
    }
    const first = paths.get(skill.name);
    if (first !== undefined) {
      errors.push({ path, code: 'DUPLICATE_NAME', message: `The name "${skill.name}" is that of ${first} already.` });
      continue;
    }
    paths.set(skill.name, path);
    skills.push(skill);
  }
  skills.sort((left, right) => (left.name < right.name ? -1 : 1));
  errors.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { skills: new Map(skills.map((skill) => [skill.name, skill])), errors };
}
