import { z } from 'zod';
import { setting } from './define-setting.ts';

/** The settings of single sign-on. */
export const OIDC_SETTINGS = {
  'service.oidc.issuer': setting({
    schema: z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }),
    default: '',
    description:
      'OpenID Connect provider, by its issuer: its people sign in at the pages, and its access tokens are taken by the API and by MCP.',
  }),
  'service.oidc.clientId': setting({
    schema: z.string().max(500),
    default: '',
    description: 'Name of this server at the provider; without it nobody signs in at the pages.',
  }),
  'service.oidc.clientSecret': setting({
    isSecret: true,
    schema: z.string().max(2_000),
    default: '',
    description: 'Its secret there, best given in the environment; without it, it is a public client (with PKCE).',
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
      'Claim that holds the name of a user; without it, the first of `preferred_username`, `email`, `client_id` and `sub` that can be one.',
  }),
  'service.oidc.rolesClaim': setting({
    schema: z.string().min(1).max(200),
    default: 'roles',
    description: 'Claim that holds roles or groups; dots lead into objects, such as `realm_access.roles`.',
  }),
  'service.oidc.roles': setting({
    schema: z.string().max(10_000),
    default: '',
    description:
      'Roles for values of that claim: `bi-admins=ROLE_ADMIN, sales=sales`. Everybody has ROLE_USER; other values give no role.',
  }),
  'service.oidc.tenantClaim': setting({
    schema: z.string().max(200),
    default: '',
    description: 'Claim with the tenant; without it, everybody belongs to the default tenant.',
  }),
  'service.oidc.tenants': setting({
    schema: z.string().max(10_000),
    default: '',
    description: 'Tenants for values of that claim: `org_1=acme`; without it, values are names of tenants.',
  }),
  'service.oidc.audience': setting({
    schema: z.string().max(4_000),
    default: '',
    description:
      'Audiences of access tokens that are taken, separated by commas, beside `service.http.publicUrl` and the address of the MCP endpoint.',
  }),
} as const;
