/** Lets administrators read and set the attributes of their tenant's users and API keys. */
import { z } from 'zod';
import { Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import { type Attributes, AttributesSchema, attributesFrom } from '../../router/capabilities/attributes.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { NotFoundError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Users } from './users.ts';

const BASE = '/rest/service/api/admin';
const CHOICE = 'Path and payload of the administrative interface are a choice of this product.';

const AttributeLists = z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()])));

const UserAttributes = z
  .strictObject({ user: z.string(), roles: z.array(z.string()), attributes: AttributeLists })
  .meta({ id: 'UserAttributes' });

const KeyAttributes = z
  .strictObject({ id: z.string(), label: z.string(), roles: z.array(z.string()), attributes: AttributeLists })
  .meta({ id: 'ApiKeyAttributes' });

const Written = AttributesSchema.describe('All attributes: those that are left out are removed.');

export interface AccountDependencies {
  readonly users: Users;
  readonly apiKeys: ApiKeys;
}

export function accountsPlugin({ users, apiKeys }: AccountDependencies) {
  return plugin({
    name: 'accounts',
    title: 'Attributes of accounts',
    errorFormat: standardErrorFormat,
    router: operations({
      listUsers: operation({
        summary: 'List the users of the tenant with their roles and attributes',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/users` },
      })
        .output(z.array(UserAttributes))
        .query(async ({ ctx }) => (await users.list(userOf(ctx).tenant)).map(userAttributes)),

      setUserAttributes: operation({
        summary: 'Set the attributes of a user, from the next request on',
        description: 'Viewer filters of models and cubes compare with them.',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'PUT', path: `${BASE}/users/{name}/attributes`, body: 'attributes' },
      })
        .input(z.strictObject({ name: Name, attributes: Written }))
        .output(UserAttributes)
        .mutation(async ({ ctx, input: { name, attributes } }) => {
          const { tenant } = userOf(ctx);
          const user = await users.find(tenant, name);
          if (user === undefined) throw new NotFoundError('There is no such user in your tenant.');
          const lists = attributesFrom(attributes);
          await users.setAttributes(tenant, user.name, lists);
          return userAttributes({ ...user, attributes: lists });
        }),

      listApiKeys: operation({
        summary: 'List the API keys of the tenant that are not revoked, with their roles and attributes',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'GET', path: `${BASE}/api-keys` },
      })
        .output(z.array(KeyAttributes))
        .query(async ({ ctx }) =>
          (await apiKeys.list(userOf(ctx).tenant))
            .filter(({ revokedAtMillis }) => revokedAtMillis === undefined)
            .map(({ id, label, roles, attributes }) => ({
              id,
              label,
              roles: [...roles],
              attributes: lists(attributes),
            })),
        ),

      setApiKeyAttributes: operation({
        summary: 'Set the attributes of an API key, from its next request on',
        implementationChoice: CHOICE,
        access: 'administrator',
        rest: { method: 'PUT', path: `${BASE}/api-keys/{id}/attributes`, body: 'attributes' },
      })
        .input(z.strictObject({ id: Name, attributes: Written }))
        .output(z.strictObject({ status: z.literal('OK') }))
        .mutation(async ({ ctx, input: { id, attributes } }) => {
          await apiKeys.changeAttributes(id, userOf(ctx).tenant, () => attributesFrom(attributes));
          return { status: 'OK' } as const;
        }),
    }),
  });
}

function userAttributes({
  name,
  roles,
  attributes,
}: {
  readonly name: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
}): z.infer<typeof UserAttributes> {
  return { user: name, roles: [...roles], attributes: lists(attributes) };
}

function lists(attributes: Attributes): z.infer<typeof AttributeLists> {
  return Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, [...values]]));
}
