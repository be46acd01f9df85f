import type { Client } from '../api-client/client.ts';
import { object, text } from '../api-client/json.ts';

/** The one version of the element's script that this server has, as a page that pins it writes it. */
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
  const of = object(json, 'the list of hashes');
  const script = text(of, 'script');
  return { version: text(of, 'version'), script, integrity: text(object(of.integrity, 'the hashes'), script) };
}
