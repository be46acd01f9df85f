/** Downloads the files behind allowed links: streamed, with a size limit, and from no private network that is not named. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type FetchedFiles,
  type LinkedFile,
  type LinkedFiles,
  shownLink,
} from '../../router/capabilities/linked-files.ts';
import { CancelledError, ServiceError, ValidationError } from '../../router/errors.ts';
import { sizeText } from '../../router/quantity-text.ts';
import type { FreeSpace } from '../disk/free-space.ts';
import { httpRequest } from '../warehouse/http-request.ts';
import { InvalidAddressError } from '../warehouse/jdbc-url.ts';
import { NetworkGuard, type NetworkGuardOptions } from '../warehouse/network-guard.ts';
import { type AllowedLink, isAllowed, parseAllowedLink } from './allowed-links.ts';
import { connectionFailure } from './connection-failure.ts';
import { nameOfFile } from './file-name.ts';

export interface LinkOptions extends Pick<NetworkGuardOptions, 'denyHosts' | 'ownPort' | 'resolve'> {
  /** Entries of `service.links.allow`. */
  readonly allow: readonly string[];
  /** Hosts that may have private addresses, as `service.links.privateHosts` names them. */
  readonly privateHosts: readonly string[];
  /** The largest file in bytes. */
  readonly maxBytes: number;
  /** A folder for the files of this process, below the data folder. */
  readonly directory: string;
  readonly freeSpace: Pick<FreeSpace, 'requireRoomFor'>;
  readonly timeoutMs?: number;
}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 600_000;
const SILENCE_MS = 30_000;
const SPACE_CHECK_BYTES = 16_777_216;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function openLinks(options: LinkOptions): LinkedFiles {
  const { allow, privateHosts, denyHosts, ownPort, resolve, directory } = options;
  const allowed = allow.flatMap((text) => parseAllowedLink(text) ?? []);
  // Links are written by users: private networks are refused on every machine, not only in hosted mode.
  const network = new NetworkGuard({
    allowHosts: privateHosts,
    denyHosts,
    ownPort,
    isHosted: true,
    ...(resolve === undefined ? {} : { resolve }),
  });
  return {
    allowed: allow,
    async fetch(links, signal): Promise<FetchedFiles> {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const files: LinkedFile[] = [];
      const hashes: string[] = [];
      const release = async (): Promise<void> => {
        await Promise.all(files.map(({ path }) => rm(path, { force: true })));
      };
      try {
        for (const [index, link] of links.entries()) {
          const { file, hash } = await download(link, index, { ...options, allowed, network }, signal);
          files.push(file);
          hashes.push(`${file.name} ${hash}`);
        }
      } catch (error) {
        await release();
        throw error;
      }
      return { files, signature: createHash('sha256').update(hashes.join('\n')).digest('hex'), release };
    },
  };
}

interface Parts extends LinkOptions {
  readonly allowed: readonly AllowedLink[];
  readonly network: NetworkGuard;
}

async function download(link: string, index: number, parts: Parts, signal: AbortSignal | undefined) {
  const { directory, maxBytes, freeSpace, timeoutMs = TIMEOUT_MS } = parts;
  const limit = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const refused = (message: string, available?: readonly string[]) =>
    ValidationError.at(['urls', index], message, available);
  const path = join(directory, `link-${randomUUID()}`);
  try {
    const { url, response } = await open(link, parts, stop, refused);
    const announced = Number(response.headers['content-length'] ?? 0);
    const tooLarge = () => refused(`The file behind ${shownLink(link)} is larger than ${sizeText(maxBytes)}.`);
    try {
      if (announced > maxBytes) throw tooLarge();
      const name = fileName(url, response, link, refused);
      await freeSpace.requireRoomFor(announced);
      const hash = createHash('sha256');
      let size = 0;
      async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        let unchecked = 0;
        for await (const chunk of chunks) {
          size += chunk.length;
          unchecked += chunk.length;
          if (size > maxBytes) throw tooLarge();
          if (unchecked >= SPACE_CHECK_BYTES) {
            await freeSpace.requireRoomFor(unchecked);
            unchecked = 0;
          }
          hash.update(chunk);
          yield chunk;
        }
      }
      await pipeline(response, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: stop });
      if (size === 0) throw refused(`The file behind ${shownLink(link)} is empty.`);
      return { file: { path, name, size }, hash: hash.digest('hex') };
    } finally {
      response.destroy();
    }
  } catch (error) {
    await rm(path, { force: true });
    if (signal?.aborted === true) throw new CancelledError('The download was cancelled.');
    if (limit.aborted)
      throw refused(`${shownLink(link)} was not read within ${Math.round(timeoutMs / 60_000)} minutes.`);
    if (error instanceof InvalidAddressError)
      throw refused(
        `${shownLink(link)} leads to a private network or to this server. Only hosts in service.links.privateHosts may do so.`,
      );
    if (error instanceof ServiceError) throw error;
    throw refused(`${shownLink(link)} could not be read: ${connectionFailure(error) ?? 'the download failed'}.`);
  }
}

type Refused = (message: string, available?: readonly string[]) => ValidationError;

/** Follows redirects to the answer with the file. Each step must be allowed. */
async function open(
  link: string,
  { allowed, network, allow }: Parts,
  signal: AbortSignal,
  refused: Refused,
): Promise<{ readonly url: URL; readonly response: IncomingMessage }> {
  let url = URL.parse(link);
  if (allow.length === 0)
    throw refused('Links are not allowed on this server. An administrator names their hosts in service.links.allow.');
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      throw refused('Write a link that begins with https://.');
    if (url.username !== '' || url.password !== '') throw refused('Write the link without a user name and a password.');
    if (!isAllowed(url, allowed)) {
      const how = step === 0 ? 'is not allowed' : `redirects to ${url.origin}, which is not allowed`;
      throw refused(`${shownLink(link)} ${how}. An administrator names hosts in service.links.allow.`, allow);
    }
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    // A name without an address now could have a private one at the request.
    if ((await network.addressOf(url.hostname, port)) === undefined)
      throw refused(`There is no host ${url.hostname}. Check the link.`);
    const response = await httpRequest({
      url,
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'service' },
      agent: url.protocol === 'https:' ? new TlsAgent() : new HttpAgent(),
      signal,
      silenceMs: SILENCE_MS,
      network,
    });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return { url, response };
    response.destroy();
    if (!REDIRECTS.has(statusCode) || headers.location === undefined)
      throw refused(`${shownLink(link)} was answered ${statusCode}: ${wordsOf(statusCode)}`);
    url = URL.parse(headers.location, url.href);
  }
  throw refused(`${shownLink(link)} redirects more than ${MAX_REDIRECTS} times.`);
}

function fileName(url: URL, { headers }: IncomingMessage, link: string, refused: Refused): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (/^text\/html\b/i.test(type))
    throw refused(
      `${shownLink(link)} leads to a web page, not to a file. Use the link of the download; it must work without signing in.`,
    );
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw refused(`The file behind ${shownLink(link)} is compressed (${encoding}).`);
  const name = nameOfFile(url, headers);
  if (name === undefined)
    throw refused(
      `${shownLink(link)} leads to no .csv, .xlsx, .parquet or .json file${type === '' ? '' : ` but to ${type}`}.`,
    );
  return name;
}

function wordsOf(status: number): string {
  if (status === 401 || status === 403) return 'its server asks for a sign-in. Use a link that works without one.';
  if (status === 404 || status === 410) return 'there is no such file. Check the link.';
  if (status === 429 || status >= 500) return 'its server is busy or broken. Try again later.';
  return 'this is no file. Check the link.';
}
