/** Writes a draft into the address of the page and reads it: compressed JSON in letters that need no escapes. */

import { isChartMode } from '../../../../router/chart-modes.ts';
import { isObject, type JsonObject as UnknownObject } from '../../api-client/json.ts';
import { type Draft, RENDER_NAMES, type Surface, type View } from './draft.ts';
import { compact, type JsonObject, type JsonValue } from './json-value.ts';
import { fromRequest, toRequest } from './typed-request.ts';

/** The longest text of a request in an address. Browsers and proxies accept addresses of this length. */
const MAX_ADDRESS_LENGTH = 7_000;
/** The most bytes that an address may unfold to. */
const MAX_UNFOLDED_BYTES = 200_000;

/** Returns the text of a draft; undefined where it is too long for an address. */
export async function writeAddress(draft: Draft): Promise<string | undefined> {
  const { source, view, analytics, drill } = draft;
  const json = JSON.stringify(
    compact({ s: source.surface, r: toRequest(draft), v: writeView(view), a: analytics, d: drill }),
  );
  const bytes = await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw'), Infinity);
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return text.length <= MAX_ADDRESS_LENGTH ? text : undefined;
}

/** Reads the text of a draft; undefined where it is none. */
export async function readAddress(text: string): Promise<Draft | undefined> {
  if (text === '' || text.length > MAX_ADDRESS_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'), MAX_UNFOLDED_BYTES);
    return readDraft(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Reads a draft from JSON of unknown shape. */
function readDraft(json: unknown): Draft | undefined {
  if (!isObject(json) || !isObject(json.r) || (json.s !== 'semantic' && json.s !== 'cube')) return undefined;
  const surface: Surface = json.s;
  return {
    ...fromRequest(surface, asJson(json.r)),
    view: isObject(json.v) ? readView(asJson(json.v)) : {},
    analytics: isObject(json.a) ? asJson(json.a) : undefined,
    drill: isObject(json.d) ? asJson(json.d) : undefined,
  };
}

function writeView({ render, mode, chart }: View): JsonObject | undefined {
  const view = compact({ r: render, m: mode, c: chart });
  return Object.keys(view).length === 0 ? undefined : view;
}

function readView({ r, m, c }: JsonObject): View {
  const render = RENDER_NAMES.find((each) => each === r);
  const mode = typeof m === 'string' && isChartMode(m) ? m : undefined;
  const chart = isObject(c) ? asJson(c) : undefined;
  return {
    ...(render === undefined ? {} : { render }),
    ...(mode === undefined ? {} : { mode }),
    ...(chart === undefined ? {} : { chart }),
  };
}

/** Narrows an object that came from `JSON.parse`, whose values are JSON. */
export function asJson(object: UnknownObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, asJsonValue(value)]));
}

function asJsonValue(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(asJsonValue);
  return isObject(value) ? asJson(value) : null;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('The address unfolds to too much.');
    }
    chunks.push(value);
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
