/** Names API keys for people: a list of calls has the user of a key, `api-key:<id>`. */
import { z } from 'zod';
import type { TenantId } from '../../router/capabilities/identity.ts';

/** Returns the labels of a tenant's API keys, by the user of their calls. */
export type KeyLabels = (tenant: TenantId) => Promise<ReadonlyMap<string, string>>;

export const UserLabel = z.string().optional().describe('The label of the API key that `user` names.');

/** Returns the member with the label of a user that is an API key. */
export function labelOf(user: string | null, labels: ReadonlyMap<string, string>): { readonly userLabel?: string } {
  const userLabel = user === null ? undefined : labels.get(user);
  return userLabel === undefined ? {} : { userLabel };
}
