import { z } from 'zod';
import { setting } from './define-setting.ts';

/** The settings of single sign-on. */
export const OIDC_SETTINGS = {
  'service.oidc.issuer': setting({
    schema: z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }),
    default: '',
    description:
      'Issuer of the OpenID Connect provider. Its users sign in at the pages, and the API and MCP accept its access tokens.',
  }),
  'service.oidc.clientId': setting({
    schema: z.string().max(500),
    default: '',
    description: 'Client id of this server at the provider; without it the pages have no single sign-on.',
  }),
  'service.oidc.clientSecret': setting({
    isSecret: true,
    schema: z.string().max(2_000),
    default: '',
    description:
      'Client secret of this server, best set in the environment; without it, the server is a public client (with PKCE).',
  }),
  'service.oidc.scopes': setting({
    schema: z.string().max(1_000),
    default: 'openid profile email',
    description: 'Scopes requested from the provider at sign-in.',
  }),
  'service.oidc.label': setting({
    schema: z.string().min(1).max(60),
    default: 'single sign-on',
    description: 'Name of the provider on the button of the sign-in dialog.',
  }),
  'service.oidc.userClaim': setting({
    schema: z.string().max(200),
    default: '',
    description:
      'Claim with the name of a user. Default: the first usable one of `preferred_username`, `email`, `client_id` and `sub`.',
  }),
  'service.oidc.rolesClaim': setting({
    schema: z.string().min(1).max(200),
    default: 'roles',
    description: 'Claim with roles or groups; dots separate members of objects, such as `realm_access.roles`.',
  }),
  'service.oidc.roles': setting({
    schema: z.string().max(10_000),
    default: '',
    description:
      'Roles for values of that claim: `bi-admins=ROLE_ADMIN, sales=sales`. Every user has ROLE_USER; other values have no role.',
  }),
  'service.oidc.tenantClaim': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Claim with the tenant; without it, every user belongs to the default tenant.',
  }),
  'service.oidc.tenants': setting({
    schema: z.string().max(10_000),
    default: '',
    description: 'Tenants for values of that claim: `org_1=acme`; without it, values are names of tenants.',
  }),
  'service.oidc.attributes': setting({
    schema: z.string().max(4_000),
    default: '',
    description:
      'Attributes of viewers that claims fill, `attribute=claim` with commas between them, such as `regions=sales_regions`. One setting for each, `service.oidc.attributes.regions=sales_regions`, means the same.',
  }),
  'service.oidc.audience': setting({
    schema: z.string().max(4_000),
    default: '',
    description:
      'Accepted audiences of access tokens, separated by commas, in addition to `service.http.publicUrl` and the address of the MCP endpoint.',
  }),
} as const;
