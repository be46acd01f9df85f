import type { Client } from '../api-client/client.ts';
import { readList, readObject, readOption, readText, readTextOrDefault } from '../api-client/json.ts';

const REQUEST = '/rest/service/api/agents/request';

/** The parameters that the server reads. Others are not ours, and are left out (RFC 6749, section 3.1). */
const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const;

const RECEIVERS = ['site', 'computer', 'app'] as const;
export type ReceiverKind = (typeof RECEIVERS)[number];

/** Describes what an agent asks its user for. */
export interface AgentRequest {
  /** The name that the agent gave itself. */
  readonly agent: string;
  readonly receiver: { readonly kind: ReceiverKind; readonly name: string };
  readonly scopes: readonly string[];
  /** Why the agent cannot be allowed; empty where it can. */
  readonly refusal: string;
}

/** Returns the parameters of a page's address that the server reads. Of a repeated one it gets both, and refuses them. */
function requestParameters(search: string): URLSearchParams {
  const given = new URLSearchParams(search);
  return new URLSearchParams(PARAMETERS.flatMap((name) => given.getAll(name).map((value) => [name, value])));
}

export function describeRequest(client: Client, search: string, signal: AbortSignal): Promise<AgentRequest> {
  return client.get(`${REQUEST}?${requestParameters(search)}`, parseRequest, signal);
}

/** Answers an agent's request. Returns the address with which the browser goes back to the agent. */
export function answerRequest(client: Client, search: string, allow: boolean): Promise<string> {
  return client.post(REQUEST, { ...Object.fromEntries(requestParameters(search)), allow }, (json) =>
    readText(readObject(json, 'the answer'), 'location'),
  );
}

function parseRequest(json: unknown): AgentRequest {
  const record = readObject(json, 'the request of the agent');
  const receiver = readObject(record.receiver, 'the receiver');
  return {
    agent: readText(record, 'agent'),
    receiver: { kind: readOption(receiver, 'kind', RECEIVERS), name: readText(receiver, 'name') },
    scopes: readList(record.scopes, 'the scopes', String),
    refusal: readTextOrDefault(record, 'refusal', ''),
  };
}
