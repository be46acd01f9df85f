/** Maps a caller's roles to the roles of a schema with the same names. */
import { isAdministrator, type Scope } from '../../../router/capabilities/identity.ts';
import type { Schema } from '../schema/model.ts';

/**
 * Returns what the engine is asked with: `undefined` everything, a list what any of these roles sees, an empty list nothing.
 *
 * A caller that has none of the schema's roles has its default role. Without a default role, a schema that knows roles
 * shows nothing to such a caller, save an administrator; one without roles is everybody's.
 */
export function rolesOf(schema: Pick<Schema, 'roles' | 'defaultRole'>, scope: Scope): readonly string[] | undefined {
  if (schema.roles.length === 0) return undefined;
  const granted = schema.roles.map(({ name }) => name).filter((name) => scope.roles.includes(name));
  if (granted.length > 0) return granted;
  if (schema.defaultRole !== undefined) return [schema.defaultRole];
  return isAdministrator(scope) ? undefined : [];
}
