import { isAttributeName } from '../../router/capabilities/attributes.ts';
import { ConfigError } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import type { ClaimRules } from './claims.ts';

export interface OidcSettings {
  /** The issuer as the provider writes it. */
  readonly issuer: string;
  /** The client id of this service at the provider; without it only access tokens are accepted, and pages have no single sign-on. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** The label of the button. */
  readonly label: string;
  /** The address of this service for browsers and agents, without a trailing slash. */
  readonly publicUrl: string;
  readonly claims: ClaimRules;
  /** Accepted audiences of access tokens. */
  readonly audiences: readonly string[];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads the settings of single sign-on; `undefined` where none is configured.
 *
 * @param mcpPath the path of the MCP endpoint, whose address is an audience (RFC 8707)
 * @throws ConfigError
 */
export function oidcSettings(config: Config, mcpPath: string): OidcSettings | undefined {
  const issuer = config['service.oidc.issuer'];
  if (issuer === '') return undefined;
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !LOOPBACK.has(hostname))
    throw new ConfigError('service.oidc.issuer must begin with https:// (http:// is for loopback only).');
  const publicUrl = config['service.http.publicUrl'].replace(/\/+$/, '');
  if (publicUrl === '') {
    throw new ConfigError(
      'service.oidc.issuer needs service.http.publicUrl: the address that browsers have, such as https://analytics.example.com.',
    );
  }
  const basePath = config['service.http.basePath'];
  if (!new URL(publicUrl).pathname.replace(/\/$/, '').endsWith(basePath))
    throw new ConfigError(`service.http.publicUrl must end with service.http.basePath, ${basePath}.`);
  return {
    issuer,
    clientId: config['service.oidc.clientId'] || undefined,
    clientSecret: config['service.oidc.clientSecret'] || undefined,
    scopes: config['service.oidc.scopes'],
    label: config['service.oidc.label'],
    publicUrl,
    claims: {
      user: config['service.oidc.userClaim'] || undefined,
      roles: config['service.oidc.rolesClaim'],
      roleOf: pairs('service.oidc.roles', config['service.oidc.roles']),
      tenant: config['service.oidc.tenantClaim'] || undefined,
      tenantOf: pairs('service.oidc.tenants', config['service.oidc.tenants']),
      attributes: attributeClaims(config['service.oidc.attributes']),
    },
    audiences: [
      publicUrl,
      `${publicUrl}${mcpPath}`,
      ...config['service.oidc.audience'].split(',').flatMap((audience) => audience.trim() || []),
    ],
  };
}

/** Reads the claims of attributes, `regions=claim, tier=plan`: the first equals sign separates, because claims may contain one. */
function attributeClaims(text: string): ReadonlyMap<string, string> {
  const items = text.split(',').flatMap((item) => item.trim() || []);
  return new Map(
    items.map((item) => {
      const equals = item.indexOf('=');
      const [name, claim] = [item.slice(0, equals).trim(), item.slice(equals + 1).trim()];
      if (equals < 1 || !isAttributeName(name) || claim === '')
        throw new ConfigError(
          `service.oidc.attributes must be a list such as regions=claim, tier=plan; "${item}" is not.`,
        );
      return [name, claim];
    }),
  );
}

/**
 * Reads pairs such as `analysts=ROLE_USER, bi-admins=ROLE_ADMIN`; the last equals sign separates, because values may
 * contain one.
 */
function pairs(setting: string, text: string): ReadonlyMap<string, string> {
  const items = text.split(',').flatMap((item) => item.trim() || []);
  return new Map(
    items.map((item) => {
      const equals = item.lastIndexOf('=');
      const [value, name] = [item.slice(0, equals).trim(), item.slice(equals + 1).trim()];
      if (equals < 1 || value === '' || name === '')
        throw new ConfigError(`${setting} must be a list such as value=name, other=name; "${item}" is not.`);
      return [value, name];
    }),
  );
}
