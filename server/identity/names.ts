import { z } from 'zod';
import { type Attributes, AttributesSchema, attributesFrom } from '../../router/capabilities/attributes.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { ValidationError } from '../../router/errors.ts';
import { readOnce } from '../../router/read-once.ts';

const ACCOUNT_NAME = /^[A-Za-z0-9._@-]{1,64}$/;
const RULE = 'Use 1 to 64 letters, digits, and the characters . _ @ - (and not only one or two dots).';

/** Returns whether a text is a legal name of a user or a tenant. A user's name also names a folder, `homes/<user>/`, so it is never `.` or `..`. */
export function isAccountName(text: string): boolean {
  return ACCOUNT_NAME.test(text) && text !== '.' && text !== '..';
}

/** @throws ValidationError at `member` */
export function checkAccountName(member: string, text: string): void {
  if (!isAccountName(text)) throw ValidationError.at([member], `This name cannot be used. ${RULE}`);
}

/** Names of the product's own folders and files, which a tenant's folder would mix with. */
const RESERVED = new Set(['default', 'homes', 'imports', 'shared', 'tenants', 'uploads', 'example-skills-placed']);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OWN_FILE = /\.(sds|key|sqlite(-wal|-shm|-journal)?|duckdb(\.wal)?|db)$/i;

/**
 * Checks the name of a new tenant. It also names the tenant's folders, `datasources/<tenant>` and `data/<tenant>`.
 *
 * @throws ValidationError at `tenant`
 */
export function checkTenantName(text: string): void {
  checkAccountName('tenant', text);
  if (
    text.startsWith('.') ||
    text.endsWith('.') ||
    RESERVED.has(text.toLowerCase()) ||
    UUID.test(text) ||
    OWN_FILE.test(text)
  )
    throw ValidationError.at(
      ['tenant'],
      'This name cannot be used: it names folders, so it is not one of the product’s own, no id, no database file, and neither begins nor ends with a dot.',
    );
}

const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

/**
 * Checks a text for people: one line without control characters and unpaired surrogates.
 *
 * @throws ValidationError at `member`
 */
export function checkLabel(member: string, text: string): void {
  if (text.trim() === '' || text.length > 200 || !PRINTABLE.test(text)) {
    throw ValidationError.at([member], 'Give one line of 1 to 200 printable characters.');
  }
}

/**
 * Checks role names: free text (cube schemas have roles such as `California manager`) without the comma, which
 * separates them.
 *
 * @throws ValidationError at `roles[i]`
 */
export function checkRoles(roles: readonly string[]): void {
  roles.forEach((role, index) => {
    if (role.trim() !== role || role === '' || role.length > 100 || role.includes(',') || !PRINTABLE.test(role)) {
      throw ValidationError.at(
        ['roles', index],
        'Give a role of 1 to 100 printable characters without commas and outer spaces.',
      );
    }
  });
}

const Roles = z.array(z.string()).readonly();

/** Reads the `roles` column. */
export const rolesFromColumn = readOnce((json) => Roles.parse(JSON.parse(json)));

/** Writes the `roles` column: each role once, in the given order. */
export function rolesToColumn(roles: readonly string[]): string {
  return JSON.stringify([...new Set(roles)]);
}

/** Reads the `attributes` column. */
export const attributesFromColumn = readOnce(
  (json): Attributes => attributesFrom(AttributesSchema.parse(JSON.parse(json))),
);

/**
 * Writes the `attributes` column.
 *
 * @throws ValidationError at `attributes`
 */
export function attributesToColumn(attributes: Attributes): string {
  const parsed = AttributesSchema.safeParse(attributes);
  if (parsed.success) return JSON.stringify(attributesFrom(parsed.data));
  const [issue] = parsed.error.issues;
  throw ValidationError.at(
    ['attributes', ...(issue?.path ?? []).map((part) => (typeof part === 'symbol' ? String(part) : part))],
    'These attributes cannot be kept: at most 32 names of letters, digits, _ and -, with at most 1,000 values each and 2,000 in all; a text has at most 256 characters.',
  );
}

/** Brands a tenant id from the column `tenants.id` or a reference to it. The brand is made only here. */
export function tenantIdFromColumn(id: string): TenantId {
  return id as TenantId;
}

/** Returns tenant and name of the user that signs in: `ann` belongs to the default tenant, `acme/ann` to the tenant `acme`. */
export interface SignInName {
  readonly tenant: string;
  readonly user: string;
}

/** The tenant of every installation. */
export const DEFAULT_TENANT = 'default';

export function parseSignInName(text: string): SignInName {
  const slash = text.indexOf('/');
  if (slash === -1) return { tenant: DEFAULT_TENANT, user: text };
  return { tenant: text.slice(0, slash), user: text.slice(slash + 1) };
}
