/** Reads and changes the documents of the repository. */
import type { Client } from '../api-client/client.ts';
import { type JsonObject, readBoolean, readList, readObject, readOption, readText } from '../api-client/json.ts';
import { DOCUMENT_KINDS, type DocumentKind } from './document-entries.ts';

const BASE = '/rest/service/api/repository';

/** The extension of each kind. */
export const EXTENSIONS: Readonly<Record<DocumentKind, string>> = {
  dashboard: '.servicedash',
  ai: '.serviceask',
  query: '.service',
};

export interface StoredDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly updatedAt: Date;
  /** Names the content; a write can ask for it. */
  readonly version: string;
}

export interface OpenedDocument extends StoredDocument {
  readonly document: JsonObject;
}

export interface DocumentVersion {
  readonly id: string;
  readonly change: 'before' | 'saved' | 'restored';
  readonly user: string | undefined;
  readonly createdAt: Date;
  readonly isPresent: boolean;
}

export function kindOfPath(path: string): DocumentKind | undefined {
  return DOCUMENT_KINDS.find((kind) => path.endsWith(EXTENSIONS[kind]));
}

export function readDocument(client: Client, path: string, signal?: AbortSignal): Promise<OpenedDocument> {
  return client.get(addressOf(path), parseOpened, signal);
}

/**
 * Writes a document.
 *
 * @param condition the version that was read, or `new` for a path without a document
 * @throws RequestFailedError with status 409 where the condition does not hold
 */
export function writeDocument(
  client: Client,
  path: string,
  document: JsonObject,
  condition: string,
): Promise<StoredDocument> {
  const headers: Readonly<Record<string, string>> =
    condition === 'new' ? { 'If-None-Match': '*' } : { 'If-Match': `"${condition}"` };
  return client.put(addressOf(path), document, parseStored, undefined, headers);
}

export function removeDocument(client: Client, path: string): Promise<void> {
  return client.delete(addressOf(path), () => undefined);
}

/** Moves a document. Returns the dashboards with tiles that now name the new path. */
export function moveDocument(client: Client, from: string, to: string): Promise<readonly string[]> {
  return client.post(`${BASE}-moves`, { from, to }, (json) =>
    readList(readObject(json, 'the moved document').dashboards, 'dashboards', String),
  );
}

export function readVersions(client: Client, path: string, signal?: AbortSignal): Promise<readonly DocumentVersion[]> {
  return client.get(
    `${BASE}-versions/${encodePath(path)}`,
    (json) =>
      readList(json, 'the versions', (item) => {
        const record = readObject(item, 'a version');
        return {
          id: readText(record, 'id'),
          change: readOption(record, 'change', ['before', 'saved', 'restored']),
          user: typeof record.user === 'string' ? record.user : undefined,
          createdAt: new Date(readText(record, 'createdAt')),
          isPresent: readBoolean(record, 'isPresent'),
        };
      }),
    signal,
  );
}

export function restoreVersion(client: Client, path: string, id: string): Promise<StoredDocument> {
  return client.post(`${BASE}-versions`, { path, id }, parseStored);
}

function addressOf(path: string): string {
  return `${BASE}/${encodePath(path)}`;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function parseStored(json: unknown): StoredDocument {
  const record = readObject(json, 'a document');
  return {
    path: readText(record, 'path'),
    kind: readOption(record, 'kind', DOCUMENT_KINDS),
    updatedAt: new Date(readText(record, 'updatedAt')),
    version: readText(record, 'version'),
  };
}

function parseOpened(json: unknown): OpenedDocument {
  return { ...parseStored(json), document: readObject(readObject(json, 'a document').document, 'its content') };
}
