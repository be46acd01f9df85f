/** The requests of the form of a connection. */
import { CONNECTION_PARTS, type ConnectionPart } from '../../../router/connection-forms.ts';
import type { Client } from '../api-client/client.ts';
import { isObject, readBoolean, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';

const CONNECTIONS = '/rest/service/api/connections';

export interface SavedConnection {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly schema: string;
  readonly hasPassword: boolean;
  readonly usedBy: readonly string[];
}

/** A connection as the form sends it. A password that is undefined stays as it is saved. */
export interface WrittenConnection {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string | undefined;
  readonly schema: string;
}

export interface TestResult {
  readonly isReachable: boolean;
  /** The product and its version. */
  readonly product: string;
  readonly part: ConnectionPart | undefined;
  readonly message: string;
  readonly available: readonly string[];
}

export function readConnection(client: Client, id: string): Promise<SavedConnection> {
  return client.get(`${CONNECTIONS}/${encodeURIComponent(id)}`, (json) => {
    const record = readObject(json, 'a connection');
    return {
      id: readText(record, 'id'),
      name: readText(record, 'name'),
      url: readText(record, 'url'),
      username: readTextOrDefault(record, 'username', ''),
      schema: readTextOrDefault(record, 'schema', ''),
      hasPassword: readBoolean(record, 'hasPassword'),
      usedBy: readList(record.usedBy, 'usedBy', (each) => readText(readObject(each, 'a use'), 'name')),
    };
  });
}

export function testConnection(
  client: Client,
  { url, username, password, schema }: Omit<WrittenConnection, 'name'>,
  id: string | undefined,
): Promise<TestResult> {
  const body = {
    url,
    ...(username === '' ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(schema === '' ? {} : { schema }),
    ...(id === undefined ? {} : { id }),
  };
  return client.post(`${CONNECTIONS}/test`, body, (json) => {
    const record = readObject(json, 'the test');
    const problem = isObject(record.problem) ? record.problem : {};
    return {
      isReachable: readBoolean(record, 'isReachable'),
      product: [record.product, record.version].filter((each) => typeof each === 'string').join(' '),
      part: CONNECTION_PARTS.find((part) => part === problem.part),
      message: inWords(readTextOrDefault(problem, 'message', '')),
      available: problem.available === undefined ? [] : readList(problem.available, 'available', String),
    };
  });
}

export function saveConnection(
  client: Client,
  { name, url, username, password, schema }: WrittenConnection,
  id: string | undefined,
): Promise<string> {
  const parse = (json: unknown) => readText(readObject(json, 'a connection'), 'id');
  const secret = password === undefined ? {} : { password };
  if (id !== undefined)
    return client.put(
      `${CONNECTIONS}/${encodeURIComponent(id)}`,
      { name, url, username: username === '' ? null : username, schema: schema === '' ? null : schema, ...secret },
      parse,
    );
  const body = {
    name,
    url,
    ...(username === '' ? {} : { username }),
    ...secret,
    ...(schema === '' ? {} : { schema }),
  };
  return client.post(CONNECTIONS, body, parse);
}

export function removeConnection(client: Client, id: string): Promise<void> {
  return client.delete(`${CONNECTIONS}/${encodeURIComponent(id)}`, () => undefined);
}
