/** Lets administrators list, make, change and revoke the API keys of their tenant. */
import { z } from 'zod';
import { list, Name } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import { attributesFrom } from '../../router/capabilities/attributes.ts';
import { KEY_SCOPE_NAMES, KEY_SCOPES } from '../../router/key-scopes.ts';
import { operation } from '../../router/operation.ts';
import {
  ADMIN_BASE,
  AttributeLists,
  attributeLists,
  CHOICE,
  Done,
  instant,
  instantOrNull,
  WrittenAttributes,
  WrittenRoles,
} from './account-schemas.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { USER_ROLE } from './users.ts';

const BASE = `${ADMIN_BASE}/api-keys`;

const SCOPE_LIST = KEY_SCOPE_NAMES.map((name) => `\`${name}\`: ${KEY_SCOPES[name].description}`).join(' ');

const Scope = z.enum(KEY_SCOPE_NAMES);

const KeyListing = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    roles: z.array(z.string()),
    attributes: AttributeLists,
    scopes: z.array(Scope).nullable().describe('The parts of the API that the key may call; null for all.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('To the minute; null for a key that was never used.'),
    expiresAt: z.iso.datetime().nullable().describe('Null for a key without an end.'),
  })
  .meta({ id: 'ApiKeyAttributes' });

const NewKey = z
  .strictObject({
    label: z.string().trim().min(1).max(200).describe('A note on the use of the key.'),
    roles: WrittenRoles.optional().describe(`Role names; \`${USER_ROLE}\` where it is left out.`),
    attributes: WrittenAttributes.optional().describe('Values by attribute, which viewer filters compare with.'),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe('The instant from which the key is refused.'),
    scopes: list(Scope, KEY_SCOPE_NAMES.length)
      .min(1)
      .optional()
      .describe(`The parts of the API that the key may call; all where it is left out. ${SCOPE_LIST}`),
  })
  .meta({ id: 'NewApiKeyRequest' });

const MadeKey = z
  .strictObject({ id: z.string(), key: z.string().describe('Shown this once; only its hash is kept.') })
  .meta({ id: 'NewApiKey' });

export function apiKeyOperations(apiKeys: ApiKeys) {
  return {
    listApiKeys: operation({
      summary: 'List the API keys of the tenant that are not revoked, with their roles and attributes',
      description: 'In the order of their creation, expired ones too. The keys themselves are nowhere.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
    })
      .output(z.array(KeyListing))
      .query(async ({ ctx }) =>
        (await apiKeys.list(userOf(ctx).tenant))
          .filter(({ revokedAtMillis }) => revokedAtMillis === undefined)
          .map(listing),
      ),

    createApiKey: operation({
      summary: 'Make an API key for a program',
      description:
        'The answer shows the key once. Its roles and attributes decide which rows it reads, its scopes which operations it calls.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
    })
      .input(NewKey)
      .output(MadeKey)
      .mutation(async ({ ctx, input: { label, roles, attributes, expiresAt, scopes } }) => {
        const { id, key } = await apiKeys.create({
          tenant: userOf(ctx).tenant,
          label,
          ...(roles === undefined ? {} : { roles }),
          ...(attributes === undefined ? {} : { attributes: attributesFrom(attributes) }),
          expiresAtMillis: expiresAt === undefined ? undefined : Date.parse(expiresAt),
          scopes,
        });
        return { id, key };
      }),

    setApiKeyAttributes: operation({
      summary: 'Set the attributes of an API key, from its next request on',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'PUT', path: `${BASE}/{id}/attributes`, body: 'attributes' },
    })
      .input(z.strictObject({ id: Name, attributes: WrittenAttributes }))
      .output(Done)
      .mutation(async ({ ctx, input: { id, attributes } }) => {
        await apiKeys.changeAttributes(id, userOf(ctx).tenant, () => attributesFrom(attributes));
        return { status: 'OK' } as const;
      }),

    revokeApiKey: operation({
      summary: 'Revoke an API key for good, from its next request on',
      description: 'Revoking again is no error.',
      implementationChoice: CHOICE,
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/{id}` },
    })
      .input(z.strictObject({ id: Name }))
      .output(Done)
      .mutation(async ({ ctx, input: { id } }) => {
        await apiKeys.revoke(id, userOf(ctx).tenant);
        return { status: 'OK' } as const;
      }),
  };
}

function listing(key: ApiKey): z.infer<typeof KeyListing> {
  return {
    id: key.id,
    label: key.label,
    roles: [...key.roles],
    attributes: attributeLists(key.attributes),
    scopes: key.scopes === undefined ? null : [...key.scopes],
    createdAt: instant(key.createdAtMillis),
    lastUsedAt: instantOrNull(key.lastUsedAtMillis),
    expiresAt: instantOrNull(key.expiresAtMillis),
  };
}
