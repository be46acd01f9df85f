import type { Client } from '../api-client/client.ts';
import { readObject, readText } from '../api-client/json.ts';

/** Identifies the version of the element's script on this server, for pages that pin it. */
export interface PinnedScript {
  readonly version: string;
  /** File under `/ui/`. */
  readonly script: string;
  /** `sha384-…` */
  readonly integrity: string;
}

export function readPinnedScript(client: Client): Promise<PinnedScript> {
  return client.get('/ui/service-embed.integrity.json', parsePinnedScript);
}

export function parsePinnedScript(json: unknown): PinnedScript {
  const record = readObject(json, 'the list of hashes');
  const script = readText(record, 'script');
  return {
    version: readText(record, 'version'),
    script,
    integrity: readText(readObject(record.integrity, 'the hashes'), script),
  };
}
