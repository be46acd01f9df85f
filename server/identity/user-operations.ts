/** Lets administrators list, add, change and disable the users of their tenant. */
import { z } from 'zod';
import { Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import { attributesFrom } from '../../router/capabilities/attributes.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { NotFoundError, ValidationError } from '../../router/errors.ts';
import { operation } from '../../router/operation.ts';
import {
  ADMIN_BASE,
  AttributeLists,
  attributeLists,
  CHOICE,
  instant,
  WrittenAttributes,
  WrittenRoles,
} from './account-schemas.ts';
import { MAX_PASSWORD_LENGTH } from './password-hashing.ts';
import { weakPassword } from './password-policy.ts';
import { USER_ROLE, type User, type Users } from './users.ts';

const BASE = `${ADMIN_BASE}/users`;

const UserListing = z
  .strictObject({
    user: z.string(),
    roles: z.array(z.string()),
    attributes: AttributeLists,
    createdAt: z.iso.datetime(),
    disabled: z.boolean().describe('True for a user who may not sign in.'),
    hasPassword: z.boolean().describe('False for a user who signs in with an identity provider only.'),
  })
  .meta({ id: 'UserAttributes' });

const Password = z
  .string()
  .min(1)
  .max(MAX_PASSWORD_LENGTH)
  .describe('At least 12 characters; well-known passwords, runs and repetitions are refused.');

const NewUser = z
  .strictObject({
    name: Name.describe('1 to 64 letters, digits and `. _ @ -`; unique in its tenant in any letter case.'),
    password: Password,
    roles: WrittenRoles.optional().describe(`Role names; \`${USER_ROLE}\` where it is left out.`),
    attributes: WrittenAttributes.optional().describe('Values by attribute, which viewer filters compare with.'),
  })
  .meta({ id: 'NewUserRequest' });

export function userOperations(users: Users) {
  const listingOf = async (tenant: TenantId, name: string) => {
    const user = await users.find(tenant, name);
    if (user === undefined) throw new NotFoundError('There is no such user in your tenant.');
    return listing(user);
  };
  return {
    listUsers: operation({
      summary: 'List the users of the tenant with their roles and attributes',
      description: 'Sorted by name. Disabled users are in the list.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
    })
      .output(z.array(UserListing))
      .query(async ({ ctx }) => (await users.list(userOf(ctx).tenant)).map(listing)),

    addUser: operation({
      summary: 'Add a user to the tenant',
      description: 'The user signs in with the name and the password. A weak password is refused.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
    })
      .input(NewUser)
      .output(UserListing)
      .mutation(async ({ ctx, input: { name, password, roles, attributes } }) => {
        const { tenant } = userOf(ctx);
        requireStrong(password, name);
        await users.add({ tenant, name, password, roles, attributes: attributes && attributesFrom(attributes) });
        return listingOf(tenant, name);
      }),

    setUserRoles: operation({
      summary: 'Set the roles of a user, from the next request on',
      description:
        'Replaces all roles. Queries of the user that run with other roles end. The last administrator of a tenant keeps the role, and a user with a weak password does not get it.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'PUT', path: `${BASE}/{name}/roles`, body: '*' },
    })
      .input(z.strictObject({ name: Name, roles: WrittenRoles }))
      .output(UserListing)
      .mutation(async ({ ctx, input: { name, roles } }) => {
        const { tenant } = userOf(ctx);
        await users.setRoles(tenant, name, roles);
        return listingOf(tenant, name);
      }),

    setUserAttributes: operation({
      summary: 'Set the attributes of a user, from the next request on',
      description: 'Viewer filters of models and cubes compare with them.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'PUT', path: `${BASE}/{name}/attributes`, body: 'attributes' },
    })
      .input(z.strictObject({ name: Name, attributes: WrittenAttributes }))
      .output(UserListing)
      .mutation(async ({ ctx, input: { name, attributes } }) => {
        const { tenant } = userOf(ctx);
        await listingOf(tenant, name);
        await users.setAttributes(tenant, name, attributesFrom(attributes));
        return listingOf(tenant, name);
      }),

    setUserDisabled: operation({
      summary: 'Disable a user, or let a disabled user sign in again',
      description:
        'A disabled user is signed out at once, and cannot sign in by password or identity provider. The user’s embeds show nothing meanwhile; documents, tokens and grants stay. The last administrator cannot be disabled.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'PUT', path: `${BASE}/{name}/disabled`, body: '*' },
    })
      .input(z.strictObject({ name: Name, disabled: z.boolean() }))
      .output(UserListing)
      .mutation(async ({ ctx, input: { name, disabled } }) => {
        const { tenant } = userOf(ctx);
        await users.setDisabled(tenant, name, disabled);
        return listingOf(tenant, name);
      }),

    setUserPassword: operation({
      summary: 'Set a new password for a user, and sign the user out everywhere',
      description: 'A weak password is refused. Give the password to the user by another way than mail.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'PUT', path: `${BASE}/{name}/password`, body: '*' },
    })
      .input(z.strictObject({ name: Name, password: Password }))
      .output(UserListing)
      .mutation(async ({ ctx, input: { name, password } }) => {
        const { tenant } = userOf(ctx);
        requireStrong(password, name);
        await users.passwd(tenant, name, password);
        return listingOf(tenant, name);
      }),
  };
}

/** @throws ValidationError at `password` */
function requireStrong(password: string, name: string): void {
  const why = weakPassword(password, name);
  if (why !== undefined) throw ValidationError.at(['password'], `This password is weak: it ${why}. Give another one.`);
}

function listing({
  name,
  roles,
  attributes,
  createdAtMillis,
  isDisabled,
  hasPassword,
}: User): z.infer<typeof UserListing> {
  return {
    user: name,
    roles: [...roles],
    attributes: attributeLists(attributes),
    createdAt: instant(createdAtMillis),
    disabled: isDisabled,
    hasPassword,
  };
}
