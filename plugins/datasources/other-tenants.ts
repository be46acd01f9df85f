/** How the datasources of tenants other than the first are: counted, for names are for their own administrators. */
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { DatasourceRegistry } from './datasource-registry.ts';
import type { DatasourceHealth, DatasourceTrouble, DegradedElsewhere } from './health.ts';

/** Tenants that one round checks the warehouses of, in turn: the cost of a round does not grow with the tenants. */
const ASKED_AT_ONCE = 8;

const TROUBLES = ['BROKEN', 'STALE', 'UNREACHABLE'] as const satisfies readonly DatasourceTrouble[];

export class OtherTenantsHealth {
  /** By tenant, what was wrong at the last look; the next to be asked first. */
  readonly #known = new Map<TenantId, readonly DatasourceTrouble[]>();

  /** Checks the next few of these registries, and reports the known state of all. */
  async degraded(
    registries: ReadonlyMap<TenantId, DatasourceRegistry>,
    patienceMs: number,
  ): Promise<readonly DegradedElsewhere[]> {
    for (const tenant of this.#known.keys()) if (!registries.has(tenant)) this.#known.delete(tenant);
    // Registries that were never checked come first.
    const inTurn = [...[...registries.keys()].filter((tenant) => !this.#known.has(tenant)), ...this.#known.keys()];
    await Promise.all(
      inTurn.slice(0, ASKED_AT_ONCE).map(async (tenant) => {
        const health = await registries.get(tenant)?.health(patienceMs);
        if (health === undefined) return;
        this.#known.delete(tenant);
        this.#known.set(tenant, troublesOf(health));
      }),
    );
    return TROUBLES.flatMap((status): readonly DegradedElsewhere[] => {
      const counts = [...this.#known.values()].map((troubles) => troubles.filter((each) => each === status).length);
      const datasources = counts.reduce((sum, count) => sum + count, 0);
      return datasources === 0 ? [] : [{ tenants: counts.filter((count) => count > 0).length, datasources, status }];
    });
  }
}

function troublesOf({ degraded }: DatasourceHealth): readonly DatasourceTrouble[] {
  return degraded.map(({ status }) => status);
}
