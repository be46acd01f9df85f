/** The authorization of agents by this server itself, in an installation without an identity provider. */
import type { Clock } from '../../router/capabilities/clock.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Config } from '../config/settings.ts';
import { type Addresses, agentAddresses } from './addresses.ts';
import { Clients } from './clients.ts';
import { Grants } from './grants.ts';
import { Tokens } from './tokens.ts';

export interface AgentAuthorization {
  /** The addresses of this server; each is an issuer of tokens for the MCP endpoint below it. */
  readonly addresses: Addresses;
  /** The addresses of the MCP endpoint, in the same order (RFC 8707). */
  readonly resources: readonly [string, ...string[]];
  readonly clients: Clients;
  readonly grants: Grants;
  readonly tokens: Tokens;
}

/**
 * Opens the authorization; `undefined` where an identity provider signs agents in, where it is switched off, and where the
 * address of this server is not known.
 *
 * @param mcpPath the path of the MCP endpoint
 * @param port the bound port
 * @throws ConfigError
 */
export function openAgentAuthorization(
  config: Config,
  mcpPath: string,
  { port, ...deps }: { readonly state: State; readonly clock: Clock; readonly port: number | undefined },
): AgentAuthorization | undefined {
  if (config['service.oidc.issuer'] !== '' || !config['service.agents.signIn']) return undefined;
  const addresses = agentAddresses(config, port);
  if (addresses === undefined) return undefined;
  const [first, ...others] = addresses;
  const resources: [string, ...string[]] = [first + mcpPath, ...others.map((each) => each + mcpPath)];
  return {
    addresses,
    resources,
    clients: new Clients(deps),
    grants: new Grants(deps),
    tokens: new Tokens(deps, resources),
  };
}

/** Returns the issuer for a resource of `resources`. */
export function issuerOf({ addresses, resources }: AgentAuthorization, resource: string | undefined): string {
  const at = resource === undefined ? 0 : resources.indexOf(resource);
  return addresses[at] ?? addresses[0];
}
