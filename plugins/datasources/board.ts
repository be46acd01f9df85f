import type { Clock } from '../../router/capabilities/clock.ts';
import type { DatasourceStates } from '../../router/capabilities/datasources.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { UnavailableError } from '../../router/errors.ts';
import { PerTenant } from '../../router/per-tenant.ts';

/** How long a request waits for a datasource that is being loaded, in milliseconds. */
const LOAD_PATIENCE_MS = 5_000;
/** When a caller may ask again, in seconds. */
const RETRY_LOADING_SECONDS = 2;
const RETRY_DOWN_SECONDS = 10;

/** How a load ended: served, refused, or not judged because the warehouse did not answer. */
export type LoadOutcome = 'served' | 'refused' | 'down';

/**
 * Records which connections load and which wait for their warehouse. The registry writes it, the surfaces read it.
 * Names ignore letter case, as in requests.
 */
export class DatasourceBoard implements DatasourceStates {
  readonly #patienceMs: number;
  readonly #loading = new Map<string, string>();
  readonly #down = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #onAsked: () => void;
  readonly #clock: Clock;
  #usedAtMillis: number;
  /** Until the descriptors were read once, any connection may be among them. */
  #isKnown = false;

  /** @param onAsked runs whenever a caller waits for a datasource */
  constructor(patienceMs: number = LOAD_PATIENCE_MS, onAsked: () => void = () => undefined, clock: Clock = Date.now) {
    this.#patienceMs = patienceMs;
    this.#onAsked = onAsked;
    this.#clock = clock;
    this.#usedAtMillis = clock();
  }

  /** Lists the connections that load for the first time, with their names as written. */
  get loading(): readonly string[] {
    return [...this.#loading.values()];
  }

  /** Returns whether the descriptors were read. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Returns when a datasource was last used. */
  get usedAtMillis(): number {
    return this.#usedAtMillis;
  }

  markUsed(): void {
    this.#usedAtMillis = this.#clock();
  }

  /** Forgets everything: the descriptors are to be read again. */
  forget(): void {
    this.#isKnown = false;
    this.#loading.clear();
    this.#down.clear();
  }

  /** Reports everything that is to be loaded now and serves nothing yet. */
  begin(names: readonly string[]): void {
    for (const name of names) this.#loading.set(connectionKey(name), name);
    this.#isKnown = true;
    this.#wake();
  }

  end(name: string, outcome: LoadOutcome): void {
    this.#loading.delete(connectionKey(name));
    if (outcome === 'down') this.#down.add(connectionKey(name));
    else this.#down.delete(connectionKey(name));
    this.#wake();
  }

  /** Forgets connections that have no descriptor any more. */
  keepOnly(names: readonly string[]): void {
    const kept = new Set(names.map(connectionKey));
    for (const name of this.#down) if (!kept.has(name)) this.#down.delete(name);
  }

  async settled(connection: string): Promise<void> {
    this.markUsed();
    this.#onAsked();
    const name = connectionKey(connection);
    if (!(await this.#until(() => this.#isKnown && !this.#loading.has(name)))) throw stillLoading(connection);
    if (this.#down.has(name)) throw down(connection);
  }

  async allSettled(): Promise<void> {
    this.markUsed();
    this.#onAsked();
    await this.#until(() => this.#isKnown && this.#loading.size === 0);
  }

  /** Waits for a condition; returns whether it became true in time. */
  #until(isMet: () => boolean): Promise<boolean> {
    if (isMet()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (met: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(met);
      };
      const look = (): void => {
        if (isMet()) end(true);
      };
      const timer = setTimeout(() => end(false), this.#patienceMs);
      this.#waiting.add(look);
    });
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }
}

/** The boards of all tenants. */
export class DatasourceBoards {
  readonly #boards: PerTenant<DatasourceBoard>;
  #onAsked: (tenant: TenantId) => void = () => undefined;

  constructor(clock: Clock = Date.now) {
    this.#boards = new PerTenant((tenant) => new DatasourceBoard(LOAD_PATIENCE_MS, () => this.#onAsked(tenant), clock));
  }

  of(tenant: TenantId): DatasourceBoard {
    return this.#boards.of(tenant);
  }

  /** Calls `open` whenever somebody waits for a datasource of a tenant: its descriptors are read when they are needed. */
  whenAsked(open: (tenant: TenantId) => void): void {
    this.#onAsked = open;
  }
}

function connectionKey(name: string): string {
  return name.toLowerCase();
}

function stillLoading(connection: string): UnavailableError {
  return new UnavailableError(`The connection ${shown(connection)} is still being loaded. Ask again in a moment.`, {
    code: 'DATASOURCE_LOADING',
    retryAfterSeconds: RETRY_LOADING_SECONDS,
  });
}

function down(connection: string): UnavailableError {
  return new UnavailableError(`The warehouse of the connection ${shown(connection)} does not answer.`, {
    code: 'DATASOURCE_UNAVAILABLE',
    retryAfterSeconds: RETRY_DOWN_SECONDS,
  });
}

/** Shortens a connection's name as a caller wrote it: the text may be long; a connection's name is not. */
function shown(connection: string): string {
  return connection.length > 100 ? `${connection.slice(0, 100)}…` : connection;
}
