import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';

/** Checks whether a warehouse answers; `undefined` if that is unknown now. Never rejects. */
export type Probe = (address: WarehouseAddress) => Promise<boolean | undefined>;

/** Milliseconds after which a warehouse is probed again if a caller needs to know. */
const FRESH_MS = 3_000;

interface Known {
  isUp: boolean;
  askedAt: number;
  asking: Promise<void> | undefined;
}

/** Remembers which warehouses answer. Each has one probe at a time, for any number of callers. */
export class WarehouseAvailability {
  readonly #probe: Probe;
  readonly #known = new Map<string, Known>();

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  /** Returns false once the warehouse was found not to answer, until it answers again. */
  isUp(address: WarehouseAddress): boolean {
    return this.#known.get(addressKey(address))?.isUp ?? true;
  }

  /** Checks the warehouses with an old state, and forgets all others. Resolves when all have answered or failed. */
  async ask(addresses: readonly WarehouseAddress[]): Promise<void> {
    const addressesByKey = new Map(addresses.map((address) => [addressKey(address), address]));
    for (const key of this.#known.keys()) if (!addressesByKey.has(key)) this.#known.delete(key);
    await Promise.all([...addressesByKey].map(([key, address]) => this.#askOne(key, address)));
  }

  #askOne(key: string, address: WarehouseAddress): Promise<void> {
    const availability = this.#known.get(key) ?? { isUp: true, askedAt: Number.NEGATIVE_INFINITY, asking: undefined };
    this.#known.set(key, availability);
    if (availability.asking !== undefined) return availability.asking;
    if (performance.now() - availability.askedAt < FRESH_MS) return Promise.resolve();
    availability.asking = this.#probe(address).then((isUp) => {
      availability.isUp = isUp ?? availability.isUp;
      availability.askedAt = performance.now();
      availability.asking = undefined;
    });
    return availability.asking;
  }
}

function addressKey({ jdbcUrl, username, password }: WarehouseAddress): string {
  return JSON.stringify([jdbcUrl, username ?? null, password ?? null]);
}
