import type { Client } from '../api-client/client.ts';
import { readBoolean, readList, readObject, readText, readTime } from '../api-client/json.ts';
import type { Attributes } from '../parts/attribute-text.ts';
import { readAttributes, readTexts } from '../parts/read-attributes.ts';

const USERS = '/rest/service/api/admin/users';

export interface UserEntry {
  readonly name: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
  readonly createdAt: Date;
  readonly isDisabled: boolean;
  /** False for a user of an identity provider. */
  readonly hasPassword: boolean;
}

export interface NewUser {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly string[];
  readonly attributes: Attributes;
}

export function readUsers(client: Client, signal: AbortSignal): Promise<readonly UserEntry[]> {
  return client.get(USERS, (json) => readList(json, 'the list of users', parseUser), signal);
}

export function addUser(client: Client, user: NewUser): Promise<UserEntry> {
  return client.post(USERS, user, parseUser);
}

export function setRoles(client: Client, name: string, roles: readonly string[]): Promise<UserEntry> {
  return client.put(`${addressOf(name)}/roles`, { roles }, parseUser);
}

export function setAttributes(client: Client, name: string, attributes: Attributes): Promise<UserEntry> {
  return client.put(`${addressOf(name)}/attributes`, attributes, parseUser);
}

export function setDisabled(client: Client, name: string, disabled: boolean): Promise<UserEntry> {
  return client.put(`${addressOf(name)}/disabled`, { disabled }, parseUser);
}

export function setPassword(client: Client, name: string, password: string): Promise<UserEntry> {
  return client.put(`${addressOf(name)}/password`, { password }, parseUser);
}

function addressOf(name: string): string {
  return `${USERS}/${encodeURIComponent(name)}`;
}

function parseUser(item: unknown): UserEntry {
  const record = readObject(item, 'a user');
  return {
    name: readText(record, 'user'),
    roles: readTexts(record.roles, 'roles'),
    attributes: readAttributes(record.attributes),
    createdAt: readTime(record, 'createdAt'),
    isDisabled: readBoolean(record, 'disabled'),
    hasPassword: readBoolean(record, 'hasPassword'),
  };
}
