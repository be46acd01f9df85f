/** The calls of this page. */
import type { Client } from '../api-client/client.ts';
import { list, object, text } from '../api-client/json.ts';
import { type ColumnReasons, type Draft, parseDraft, parseLeftOut, toProposal } from './draft.ts';
import { type Profile, parseProfile } from './profile.ts';
import { type Answer, parseAnswer, parseConnection, type Question } from './questions.ts';

const INFERENCE = '/rest/service/api/inference';
const CONNECTIONS = '/rest/service/api/connections';
const FILE_PARTS = ['file', 'file2', 'file3', 'file4'] as const;

/** Files that go up at once. */
export const MAX_FILES = FILE_PARTS.length;
/** Tables of a connection that are looked at. */
const MAX_TABLES = 100;

export type Connection = ReturnType<typeof parseConnection>;

export interface Source {
  readonly name: string;
  /** Absent for a file that is not kept: it can be looked at, and not be asked. */
  readonly connectionId: string | undefined;
  readonly profile: Profile;
}

export interface NewConnection {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export function readConnections(client: Client, signal: AbortSignal): Promise<readonly Connection[]> {
  return client.get(CONNECTIONS, (json) => list(json, 'connections', parseConnection), signal);
}

export function addConnection(client: Client, { name, url, username, password }: NewConnection): Promise<Connection> {
  const body = { name, url, ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
  return client.post(CONNECTIONS, body, parseConnection);
}

export function removeConnection(client: Client, id: string): Promise<void> {
  return client.delete(`${CONNECTIONS}/${encodeURIComponent(id)}`, () => undefined);
}

/** Keeps files as a connection and profiles them. */
export function keepFiles(client: Client, files: readonly File[], signal: AbortSignal): Promise<Source> {
  const form = new FormData();
  for (const [place, file] of files.entries()) form.append(FILE_PARTS[place] ?? '', file, file.name);
  return client.postForm(
    `${INFERENCE}/import`,
    form,
    (json) => {
      const body = object(json, 'the upload');
      const { id, name } = parseConnection(body.connection);
      return { name, connectionId: id, profile: parseProfile(body.profile) };
    },
    signal,
  );
}

/** Profiles one file without keeping it. */
export function profileFile(client: Client, file: File, signal: AbortSignal): Promise<Source> {
  const form = new FormData();
  form.append('file', file, file.name);
  return client.postForm(
    `${INFERENCE}/profile/file`,
    form,
    (json) => ({ name: file.name, connectionId: undefined, profile: parseProfile(json) }),
    signal,
  );
}

export function profileConnection(client: Client, { id, name }: Connection, signal: AbortSignal): Promise<Source> {
  return client.post(
    `${INFERENCE}/profile/connection/${encodeURIComponent(id)}?maxTables=${MAX_TABLES}`,
    {},
    (json) => ({ name, connectionId: id, profile: parseProfile(json) }),
    signal,
  );
}

export interface Proposed {
  readonly draft: Draft;
  readonly leftOut: ColumnReasons;
}

export function propose(client: Client, { raw }: Profile, signal: AbortSignal): Promise<Proposed> {
  return client.post(
    `${INFERENCE}/propose`,
    { profile: raw },
    (json) => {
      const body = object(json, 'the proposal');
      return { draft: parseDraft(body.proposal), leftOut: parseLeftOut(body.detectorFindings) };
    },
    signal,
  );
}

export function tryQuestion(
  client: Client,
  draft: Draft,
  connectionId: string,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const body = { proposal: toProposal(draft), connectionId, mdx: question.mdx };
  return client.post(`${INFERENCE}/try-query`, body, (json) => parseAnswer(question, json), signal);
}

export interface Published {
  readonly datasources: readonly {
    readonly name: string;
    readonly status: string;
    readonly problems: readonly string[];
  }[];
  /** The path of the dashboard; empty where none was made. */
  readonly dashboard: string;
}

export function publish(client: Client, draft: Draft, connectionId: string, name: string): Promise<Published> {
  return client.post(`${INFERENCE}/publish`, { proposal: toProposal(draft), connectionId, name }, (json) => {
    const body = object(json, 'what was published');
    return {
      datasources: list(body.datasources, 'datasources', (each) => {
        const datasource = object(each, 'a datasource');
        return {
          name: text(datasource, 'name'),
          status: text(datasource, 'status'),
          problems: list(datasource.problems, 'problems', String),
        };
      }),
      dashboard: list(body.documents, 'documents', String).find((path) => path.endsWith('.servicedash')) ?? '',
    };
  });
}
