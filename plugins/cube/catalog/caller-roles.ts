/** Maps a caller's roles to the roles of a schema with the same names. */
import { isAdministrator, type Scope } from '../../../router/capabilities/identity.ts';
import type { AccessOptions, MemberRestriction } from '../mdx/index.ts';
import { viewerRulesOf } from '../schema/check/viewer-filters.ts';
import type { Cube, Schema } from '../schema/model.ts';

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

/** Returns what a caller may see of a cube: by its roles and attributes, and by those of a caller who views as it. */
export function accessOf(schema: Schema, cube: Cube, scope: Scope): AccessOptions {
  const chain = scopesOf(scope);
  const [roles, ...others] = chain.map((each) => rolesOf(schema, each));
  const withinRoles = others.filter((names) => names !== undefined);
  const restrictions = chain.flatMap((each) => restrictionsOf(cube, schema.cubes, each));
  return {
    roles,
    ...(withinRoles.length === 0 ? {} : { withinRoles }),
    ...(restrictions.length === 0 ? {} : { restrictions }),
  };
}

function scopesOf(scope: Scope): readonly Scope[] {
  return [scope, ...(scope.viewedBy === undefined ? [] : scopesOf(scope.viewedBy))];
}

function restrictionsOf(cube: Cube, cubes: readonly Cube[], scope: Scope): readonly MemberRestriction[] {
  const { filters, exempt } = viewerRulesOf(cube, cubes);
  const { roles, attributes = {}, isAccount } = scope;
  if (isAccount === true && roles.some((role) => exempt.includes(role))) return [];
  return filters.map(({ hierarchy, level, attribute }) => {
    const values = Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? []) : [];
    return { hierarchy: hierarchy.uniqueName, level, names: values.map(String) };
  });
}
