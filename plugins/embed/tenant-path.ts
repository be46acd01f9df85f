import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Awaitable } from '../../router/steps.ts';

/** Finds tenants for reads without a caller, which name their tenant in the path. */
export interface TenantNames {
  /** The tenant that every installation has: what names no tenant is its. */
  readonly first: TenantId;
  /** Finds the tenant of a name; `undefined` where no tenant has it. */
  find(name: string): Awaitable<TenantId | undefined>;
  nameOf(tenant: TenantId): Awaitable<string>;
}

/** A path as an embed names it, taken apart. */
export interface TenantPath {
  /** `undefined` where the path names none. */
  readonly tenant: string | undefined;
  /** The path in the repository of the tenant. */
  readonly path: string;
}

const OF_TENANT = /^tenants\/([^/]+)\/(.+)$/s;

/**
 * Reads a path as an embed names it: `shared/sales.service`, or `tenants/acme/shared/sales.service` for a document of
 * the tenant `acme`. No path of a repository begins with `tenants/`, so the two are never mixed up.
 */
export function parseTenantPath(path: string): TenantPath {
  const [, tenant, rest] = OF_TENANT.exec(path) ?? [];
  return tenant === undefined || rest === undefined ? { tenant: undefined, path } : { tenant, path: rest };
}

/** Returns the path by which anybody embeds a document of a tenant that is public. */
export async function publicPath(tenants: TenantNames, tenant: TenantId, path: string): Promise<string> {
  return tenant === tenants.first ? path : `tenants/${await tenants.nameOf(tenant)}/${path}`;
}
