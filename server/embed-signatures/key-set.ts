/** Reads the public keys of a host's server, from a file or an address, and reads them again when they change. */
import { readFile, stat } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import { SingleFlight } from '../../router/single-flight.ts';

/** Time for which read keys are used without reading them again. */
const FRESH_MS = 10 * 60_000;
/** Shortest time between two readings: a token with an unknown key, or an address that fails, causes no more. */
const MIN_READ_INTERVAL_MS = 30_000;
const READ_TIMEOUT_MS = 5_000;
const MAX_KEY_SET_BYTES = 262_144;

const KeySetShape = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

/** Chooses the address of a host, or refuses it; see `NetworkGuard`. */
export interface AddressGuard {
  addressOf(host: string, port: number): Promise<string | undefined>;
}

export interface KeySetOptions {
  readonly place: URL | { readonly file: string };
  readonly guard: AddressGuard;
  readonly clock: Clock;
}

/** Opens a set of keys. It is read on first use, so that the service starts without it. */
export function openKeySet({ place, guard, clock }: KeySetOptions): JWTVerifyGetKey {
  const flight = new SingleFlight<JWTVerifyGetKey>();
  let read: { readonly keys: JWTVerifyGetKey; readonly until: number; readonly mark: string } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  const readAgain = (): Promise<JWTVerifyGetKey> =>
    flight.run('', undefined, async () => {
      triedAt = clock();
      try {
        const { text, mark } = 'file' in place ? await readKeyFile(place.file) : await fetchKeys(place, guard);
        const keys = createLocalJWKSet(parsedKeys(text));
        read = { keys, until: clock() + FRESH_MS, mark };
        return keys;
      } catch (error) {
        // Outdated keys are better than none.
        if (read === undefined) throw error;
        read = { ...read, until: clock() + MIN_READ_INTERVAL_MS };
        return read.keys;
      }
    });

  const mayRead = () => clock() - triedAt >= MIN_READ_INTERVAL_MS;
  const current = async (): Promise<JWTVerifyGetKey> => {
    if (read === undefined) {
      if (triedAt !== Number.NEGATIVE_INFINITY && !mayRead()) throw new errors.JWKSNoMatchingKey();
      return readAgain();
    }
    const isChanged = 'file' in place && mayRead() && (await markOf(place.file)) !== read.mark;
    return isChanged || clock() >= read.until ? readAgain() : read.keys;
  };

  return async (header, token) => {
    const keys = await current();
    try {
      return await keys(header, token);
    } catch (error) {
      // The host may have a new key.
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayRead()) throw error;
      return (await readAgain())(header, token);
    }
  };
}

function parsedKeys(text: string): JSONWebKeySet {
  return KeySetShape.parse(JSON.parse(text));
}

async function markOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? 'missing' : `${found.mtimeMs} ${found.size}`;
}

async function readKeyFile(file: string): Promise<{ readonly text: string; readonly mark: string }> {
  const mark = await markOf(file);
  return { text: await readFile(file, 'utf8'), mark };
}

/** Fetches the keys from the address that the guard allows, so that the name cannot mean another one by then. */
async function fetchKeys(url: URL, guard: AddressGuard): Promise<{ readonly text: string; readonly mark: string }> {
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const address = await guard.addressOf(url.hostname, port);
  const send = isSecure ? httpsRequest : httpRequest;
  const text = await new Promise<string>((resolve, reject) => {
    const request = send(
      url,
      {
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(READ_TIMEOUT_MS),
        ...(address === undefined ? {} : { lookup: onlyTo(address) }),
      },
      (response) => {
        if (response.statusCode !== 200) {
          response.destroy();
          reject(new Error(`the address of the keys answers ${response.statusCode}`));
          return;
        }
        const pieces: Buffer[] = [];
        let size = 0;
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size > MAX_KEY_SET_BYTES) response.destroy(new Error('the set of keys is too large'));
          else pieces.push(piece);
        });
        response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
  return { text, mark: '' };
}

/** Makes a look-up of names that finds one address only. */
function onlyTo(address: string): NonNullable<Parameters<typeof httpRequest>[1]>['lookup'] {
  const family = isIP(address);
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
