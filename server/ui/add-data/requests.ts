/** The requests of this page. */
import type { Client } from '../api-client/client.ts';
import { readList, readObject, readText } from '../api-client/json.ts';
import { type ColumnReasons, type Draft, parseDraft, parseLeftOut, toProposal } from './draft.ts';
import { type Profile, parseProfile } from './profile.ts';
import { type Answer, parseAnswer, parseConnection, type Question } from './questions.ts';
import type { ReadingChoices } from './reading.ts';

const INFERENCE = '/rest/service/api/inference';
const CONNECTIONS = '/rest/service/api/connections';
const FILE_PARTS = ['file', 'file2', 'file3', 'file4'] as const;

/** Maximum number of files in one upload. */
export const MAX_FILES = FILE_PARTS.length;
/** Maximum number of profiled tables of a connection. */
const MAX_TABLES = 100;

export type Connection = ReturnType<typeof parseConnection>;

export interface Source {
  readonly name: string;
  /** Undefined for a file that is not saved: it has a profile, but cannot be queried. */
  readonly connectionId: string | undefined;
  readonly profile: Profile;
  /** The files that it was read from, so that they can be read in another way. */
  readonly files: readonly File[];
  /** The links that it was downloaded from. */
  readonly links: readonly string[];
}

/** How to read files, and what to replace with them. */
export interface ReadRequest {
  readonly files: readonly File[];
  /** Links to download the files from, instead of files. */
  readonly links: readonly string[];
  readonly choices: ReadingChoices;
  /** The connection of the same files as they were read before. */
  readonly replaces: string | undefined;
}

export function readConnections(client: Client, signal: AbortSignal): Promise<readonly Connection[]> {
  return client.get(CONNECTIONS, (json) => readList(json, 'connections', parseConnection), signal);
}

export function removeConnection(client: Client, id: string): Promise<void> {
  return client.delete(`${CONNECTIONS}/${encodeURIComponent(id)}`, () => undefined);
}

/** Saves files as a connection and profiles them. */
export function keepFiles(
  client: Client,
  { files, choices, replaces }: ReadRequest,
  signal: AbortSignal,
): Promise<Source> {
  const form = new FormData();
  form.append('reading', JSON.stringify(choices));
  if (replaces !== undefined) form.append('replaces', replaces);
  for (const [place, file] of files.entries()) form.append(FILE_PARTS[place] ?? '', file, file.name);
  return client.postForm(`${INFERENCE}/import`, form, (json) => parseKept(json, { files, links: [] }), signal);
}

/** Downloads files from links, saves them as a connection and profiles them. */
export function keepLinks(
  client: Client,
  { links, choices, replaces }: ReadRequest,
  signal: AbortSignal,
): Promise<Source> {
  const body = { urls: links, reading: choices, ...(replaces === undefined ? {} : { replaces }) };
  return client.post(`${INFERENCE}/import/links`, body, (json) => parseKept(json, { files: [], links }), signal);
}

/** Returns the hosts and beginnings of links that are allowed. */
export function readAllowedLinks(client: Client, signal: AbortSignal): Promise<readonly string[]> {
  return client.get(
    `${INFERENCE}/import/links`,
    (json) => readList(readObject(json, 'the links').allowed, 'allowed', String),
    signal,
  );
}

function parseKept(json: unknown, from: Pick<Source, 'files' | 'links'>): Source {
  const body = readObject(json, 'the upload');
  const { id, name } = parseConnection(body.connection);
  return { name, connectionId: id, profile: parseProfile(body.profile), ...from };
}

/** Profiles one file without saving it. */
export function profileFile(client: Client, file: File, choices: ReadingChoices, signal: AbortSignal): Promise<Source> {
  const form = new FormData();
  form.append('reading', JSON.stringify(choices));
  form.append('file', file, file.name);
  return client.postForm(
    `${INFERENCE}/profile/file`,
    form,
    (json) => ({ name: file.name, connectionId: undefined, profile: parseProfile(json), files: [file], links: [] }),
    signal,
  );
}

export function profileConnection(client: Client, { id, name }: Connection, signal: AbortSignal): Promise<Source> {
  return client.post(
    `${INFERENCE}/profile/connection/${encodeURIComponent(id)}?maxTables=${MAX_TABLES}`,
    {},
    (json) => ({ name, connectionId: id, profile: parseProfile(json), files: [], links: [] }),
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
      const body = readObject(json, 'the proposal');
      return { draft: parseDraft(body.proposal), leftOut: parseLeftOut(body.detectorFindings) };
    },
    signal,
  );
}

export function runQuestion(
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
  /** The path of the dashboard; empty where none was created. */
  readonly dashboard: string;
}

export interface Publication {
  readonly draft: Draft;
  readonly connectionId: string;
  readonly name: string;
  /** Whether a cube is published beside the semantic model. */
  readonly hasCube: boolean;
}

export function publish(client: Client, { draft, connectionId, name, hasCube }: Publication): Promise<Published> {
  const as = hasCube ? ['cube', 'semantic'] : ['semantic'];
  return client.post(`${INFERENCE}/publish`, { proposal: toProposal(draft), connectionId, name, as }, (json) => {
    const body = readObject(json, 'what was published');
    return {
      datasources: readList(body.datasources, 'datasources', (each) => {
        const datasource = readObject(each, 'a datasource');
        return {
          name: readText(datasource, 'name'),
          status: readText(datasource, 'status'),
          problems: readList(datasource.problems, 'problems', String),
        };
      }),
      dashboard: readList(body.documents, 'documents', String).find((path) => path.endsWith('.servicedash')) ?? '',
    };
  });
}
