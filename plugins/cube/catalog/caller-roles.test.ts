import { describe, expect, it } from 'vitest';
import type { Role } from '../schema/model.ts';
import { scope } from '../testing/fixture.ts';
import { rolesOf } from './caller-roles.ts';

const role = (name: string): Role => ({ kind: 'grants', name, annotations: new Map(), line: 1, schemaGrants: [] });
const roles = [role('north'), role('south')];

describe('the roles of a caller in a schema', () => {
  it.each([
    ['the roles of the same name', { roles, defaultRole: undefined }, ['south', 'ROLE_USER'], ['south']],
    [
      'all of them, in the order of the schema',
      { roles, defaultRole: 'north' },
      ['south', 'north'],
      ['north', 'south'],
    ],
    ['the default role where it has none', { roles, defaultRole: 'north' }, ['ROLE_USER'], ['north']],
    ['the default role for an administrator too', { roles, defaultRole: 'north' }, ['ROLE_ADMIN'], ['north']],
    [
      'their own for an administrator with a role of the schema',
      { roles, defaultRole: undefined },
      ['ROLE_ADMIN', 'south'],
      ['south'],
    ],
    ['none, which see nothing', { roles, defaultRole: undefined }, ['ROLE_USER'], []],
    ['no restriction for other administrators', { roles, defaultRole: undefined }, ['ROLE_ADMIN'], undefined],
    ['no restriction where the schema has no roles', { roles: [], defaultRole: undefined }, ['ROLE_USER'], undefined],
    ['names as they are written', { roles, defaultRole: undefined }, ['SOUTH'], []],
  ])('are %s', (_, schema, callerRoles, expected) => {
    expect(rolesOf(schema, scope(...callerRoles))).toEqual(expected);
  });
});
