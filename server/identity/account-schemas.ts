/** Schemas that the operations of users and of API keys share. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import { type Attributes, AttributesSchema } from '../../router/capabilities/attributes.ts';

export const ADMIN_BASE = '/rest/service/api/admin';
export const CHOICE = 'Path and payload of the administrative interface are a choice of this product.';

const MAX_ROLES = 100;

export const AttributeLists = z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()])));
export type AttributeLists = z.infer<typeof AttributeLists>;

export const WrittenRoles = list(z.string().max(100), MAX_ROLES).describe(
  'Role names: texts without a comma. `ROLE_ADMIN` makes an administrator.',
);

export const WrittenAttributes = AttributesSchema.describe('All attributes: one that is left out is removed.');

export const Done = z.strictObject({ status: z.literal('OK') });

export function attributeLists(attributes: Attributes): AttributeLists {
  return Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, [...values]]));
}

export function instant(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}

export function instantOrNull(epochMillis: number | undefined): string | null {
  return epochMillis === undefined ? null : instant(epochMillis);
}
