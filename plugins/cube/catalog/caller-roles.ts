/** Maps a caller's roles to the roles of a schema with the same names. */
import { isAdministrator, type Scope } from '../../../router/capabilities/identity.ts';
import type { Schema } from '../schema/model.ts';

/**
 * Returns the roles for a call of the engine: `undefined` shows everything, a list shows everything that any of its roles
 * sees, an empty list shows nothing.
 *
 * A caller with none of the schema's roles gets the default role. Without a default role, a schema with roles shows nothing
 * to such a caller, except to an administrator. A schema without roles shows everything to everybody.
 */
export function rolesOf(schema: Pick<Schema, 'roles' | 'defaultRole'>, scope: Scope): readonly string[] | undefined {
  if (schema.roles.length === 0) return undefined;
  const granted = schema.roles.map(({ name }) => name).filter((name) => scope.roles.includes(name));
  if (granted.length > 0) return granted;
  if (schema.defaultRole !== undefined) return [schema.defaultRole];
  return isAdministrator(scope) ? undefined : [];
}
