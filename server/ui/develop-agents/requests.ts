import type { Client } from '../api-client/client.ts';
import { readList, readObject, readOption, readText, readTime } from '../api-client/json.ts';

const AGENTS = '/rest/service/api/agents';

const SIGN_INS = ['here', 'provider', 'off'] as const;

export interface ConnectedAgent {
  readonly id: string;
  readonly agent: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** Exact to the minute. */
  readonly lastUsedAt: Date;
}

export interface ConnectedAgents {
  /** Where the agents of people sign in: at this server, at its identity provider, or only with keys. */
  readonly signIn: (typeof SIGN_INS)[number];
  readonly agents: readonly ConnectedAgent[];
}

/** Reads the agents that the user has allowed; an administrator reads all of the tenant. */
export function readAgents(client: Client, isAdministrator: boolean, signal: AbortSignal): Promise<ConnectedAgents> {
  return client.get(`${AGENTS}${isAdministrator ? '?all=true' : ''}`, parseAgents, signal);
}

export function disconnectAgent(client: Client, id: string): Promise<void> {
  return client.delete(`${AGENTS}/${encodeURIComponent(id)}`, () => undefined);
}

function parseAgents(json: unknown): ConnectedAgents {
  const record = readObject(json, 'the agents');
  return {
    signIn: readOption(record, 'signIn', SIGN_INS),
    agents: readList(record.agents, 'the agents', (item) => {
      const agent = readObject(item, 'an agent');
      return {
        id: readText(agent, 'id'),
        agent: readText(agent, 'agent'),
        user: readText(agent, 'user'),
        scopes: readList(agent.scopes, 'the scopes', String),
        createdAt: readTime(agent, 'createdAt'),
        lastUsedAt: readTime(agent, 'lastUsedAt'),
      };
    }),
  };
}
