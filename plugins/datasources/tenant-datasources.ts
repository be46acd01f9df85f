import { access } from 'node:fs/promises';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { DatasourceBoards } from './board.ts';
import { DatasourceRegistry, type DatasourceRegistryOptions } from './datasource-registry.ts';
import type { AllDatasourcesHealth } from './health.ts';
import { OtherTenantsHealth } from './other-tenants.ts';

/** The interval of checks whether tenants with open datasources still exist and use them, in milliseconds. */
const SWEEP_MS = 60_000;

/** Tenants that the start opens the datasources of, a few at a time; other tenants open on first use. */
const OPENED_AT_START = 200;
const OPENED_AT_ONCE = 8;
/** How long the datasources of other tenants delay readiness at a start, in milliseconds. */
const START_PATIENCE_MS = 30_000;
const OTHER_TENANTS = 'datasources of other tenants';

/** Where the descriptors of a tenant are. */
export interface TenantFolder {
  readonly tenant: TenantId;
  /** For people. */
  readonly name: string;
  readonly directory: string;
}

export interface TenantDatasourcesOptions
  extends Omit<DatasourceRegistryOptions, 'directory' | 'loaders' | 'board' | 'isOwned'> {
  /** The tenant that every installation has: health names its datasources. */
  readonly first: TenantFolder;
  /** Lists every tenant. */
  readonly folders: () => Promise<readonly TenantFolder[]>;
  /** Returns the folder of one tenant; `undefined` when it is gone. */
  readonly folderOf: (tenant: TenantId) => Promise<TenantFolder | undefined>;
  readonly loadersOf: (tenant: TenantId) => DatasourceRegistryOptions['loaders'];
  readonly boards: DatasourceBoards;
  /** Time without use after which the datasources of a tenant, but not of the first, are unloaded; 0 for never. */
  readonly idleMs?: number;
  readonly sweepMs?: number;
}

/**
 * The datasources of all tenants: a registry per tenant, each over its own folder. The start opens the first tenant's
 * and, up to a limit, those with an existing folder; any other opens on first use. Datasources that nobody uses are
 * unloaded again, and open on the next use.
 */
export class TenantDatasources {
  readonly #options: TenantDatasourcesOptions;
  readonly #first: DatasourceRegistry;
  readonly #opened = new Map<TenantId, Promise<DatasourceRegistry | undefined>>();
  /** The tenants whose unused datasources are being unloaded. */
  readonly #releasing = new Map<TenantId, Promise<void>>();
  readonly #others = new OtherTenantsHealth();
  readonly #sweep: NodeJS.Timeout;
  /** Set until the datasources of the start have been loaded or refused, or take too long. */
  #starting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: TenantDatasourcesOptions) {
    this.#options = options;
    this.#first = this.#registry(options.first, async () => true);
    this.#opened.set(options.first.tenant, Promise.resolve(this.#first));
    options.boards.whenAsked((tenant) => void this.#opening(tenant));
    this.#sweep = setInterval(() => void this.#closeUnneeded(), options.sweepMs ?? SWEEP_MS).unref();
    this.#starting = setTimeout(() => this.#started(), START_PATIENCE_MS).unref();
    void this.#openThoseThere().finally(() => this.#started());
  }

  /**
   * Returns the datasources of a tenant.
   *
   * @throws Error for a tenant that is not there
   */
  async of(tenant: TenantId): Promise<DatasourceRegistry> {
    this.#options.boards.of(tenant).markUsed();
    const registry = await this.#opening(tenant);
    if (registry === undefined) throw new Error('the datasources of this tenant could not be opened');
    return registry;
  }

  /**
   * Reports how the datasources are: the first tenant's by name, the other open ones by count. Datasources that load
   * after the process is ready do not make it unready.
   */
  async health(patienceMs: number): Promise<AllDatasourcesHealth> {
    const [firstTenant, elsewhere] = await Promise.all([
      this.#first.health(patienceMs),
      this.#others.degraded(await this.#openOthers(), patienceMs),
    ]);
    return {
      missing: this.#starting === undefined ? firstTenant.missing : [...firstTenant.missing, OTHER_TENANTS],
      degraded: [...firstTenant.degraded, ...elsewhere],
    };
  }

  /** Stops watching. Loaded datasources stay loaded. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#started();
    for (const opening of this.#opened.values()) await (await opening)?.close();
    await Promise.all(this.#releasing.values());
  }

  /** Opens the datasources of a tenant. Never rejects: a failure is logged, and the next call tries again. */
  #opening(tenant: TenantId): Promise<DatasourceRegistry | undefined> {
    const present = this.#opened.get(tenant);
    if (present !== undefined) return present;
    if (this.#closed) return Promise.resolve(undefined);
    const opening = this.#open(tenant).catch((error: unknown) => {
      this.#options.log.error({ err: error, tenant }, 'the datasources of a tenant could not be opened');
      return undefined;
    });
    this.#opened.set(tenant, opening);
    void opening.then((registry) => {
      if (registry === undefined) this.#opened.delete(tenant);
    });
    return opening;
  }

  async #open(tenant: TenantId): Promise<DatasourceRegistry | undefined> {
    await this.#releasing.get(tenant);
    const folder = await this.#options.folderOf(tenant);
    if (folder === undefined || this.#closed) return undefined;
    return this.#registry(folder, async () => (await this.#options.folderOf(tenant)) !== undefined);
  }

  #registry({ tenant, name, directory }: TenantFolder, isOwned: () => Promise<boolean>): DatasourceRegistry {
    const { first, loadersOf, boards, log } = this.#options;
    return new DatasourceRegistry({
      ...this.#options,
      directory,
      loaders: loadersOf(tenant),
      board: boards.of(tenant),
      log: tenant === first.tenant ? log : log.child({ tenant: name }),
      isOwned,
    });
  }

  async #openOthers(): Promise<ReadonlyMap<TenantId, DatasourceRegistry>> {
    const open = new Map<TenantId, DatasourceRegistry>();
    for (const [tenant, opening] of this.#opened) {
      const registry = await opening;
      if (registry !== undefined && registry !== this.#first) open.set(tenant, registry);
    }
    return open;
  }

  #started(): void {
    clearTimeout(this.#starting);
    this.#starting = undefined;
  }

  async #openThoseThere(): Promise<void> {
    const { folders, first, log } = this.#options;
    try {
      const there: TenantId[] = [];
      for (const { tenant, directory } of await folders())
        if (tenant !== first.tenant && (await isThere(directory))) there.push(tenant);
      const later = there.length - OPENED_AT_START;
      if (later > 0) log.info({ tenants: later }, 'datasources of so many tenants are opened when they are asked for');
      const waiting = there.slice(0, OPENED_AT_START).values();
      const openOneByOne = async (): Promise<void> => {
        for (const tenant of waiting) await loaded(await this.#opening(tenant));
      };
      await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openOneByOne));
    } catch (error) {
      log.warn({ err: error }, 'the datasources of other tenants are opened when they are asked for');
    }
  }

  async #closeUnneeded(): Promise<void> {
    for (const [tenant, opening] of this.#opened) {
      if (tenant === this.#options.first.tenant) continue;
      try {
        const isGone = (await this.#options.folderOf(tenant)) === undefined;
        if (!isGone && !this.#isIdle(tenant)) continue;
        const registry = await opening;
        if (registry === undefined || (!isGone && !this.#isIdle(tenant))) continue;
        await this.#release(tenant, registry);
      } catch (error) {
        this.#options.log.warn({ err: error, tenant }, 'the datasources of a tenant could not be closed');
      }
    }
  }

  #isIdle(tenant: TenantId): boolean {
    const { boards, clock, idleMs = 0 } = this.#options;
    return idleMs > 0 && clock() - boards.of(tenant).usedAtMillis >= idleMs;
  }

  /** Unloads the datasources of a tenant. Who asks for them meanwhile waits, and opens them again. */
  async #release(tenant: TenantId, registry: DatasourceRegistry): Promise<void> {
    this.#opened.delete(tenant);
    this.#options.boards.of(tenant).forget();
    const releasing = registry.release();
    this.#releasing.set(tenant, releasing);
    try {
      await releasing;
    } finally {
      this.#releasing.delete(tenant);
    }
  }
}

/** Resolves when all of a registry is loaded or refused; its log has the failures. */
async function loaded(registry: DatasourceRegistry | undefined): Promise<void> {
  await registry?.whenLoaded.catch(() => undefined);
}

async function isThere(directory: string): Promise<boolean> {
  try {
    await access(directory);
    return true;
  } catch {
    return false;
  }
}
