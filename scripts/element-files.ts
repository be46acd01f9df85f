/** Places the element's script where the process serves it: with its version in the address, hashed, compressed. */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SCRIPT = 'service-embed.js';
const INTEGRITY = 'service-embed.integrity.json';

/** A delivered file. Sizes are in bytes. */
export interface ElementFile {
  readonly name: string;
  /** For the attribute `integrity` of a script, and for import maps. */
  readonly integrity: string;
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
}

/**
 * Copies the script and its parts from `from` to `to`, the script under the name with its version too, each with a
 * compressed form beside it, and writes `service-embed.integrity.json`:
 * `{ version, script, integrity: { [file]: "sha384-…" } }`.
 */
export function deliverElement(from: string, to: string, version: string): readonly ElementFile[] {
  const pinned = SCRIPT.replace('.js', `@${version}.js`);
  const files = readdirSync(from)
    .filter((name) => name.endsWith('.js'))
    .sort();
  if (!files.includes(SCRIPT)) throw new Error(`${from} has no ${SCRIPT}: build the element first.`);
  copyFileSync(join(from, SCRIPT), join(to, pinned));
  for (const name of files) copyFileSync(join(from, name), join(to, name));
  const delivered = [pinned, ...files].map((name) => deliver(to, name));
  const integrity = Object.fromEntries(delivered.map((file) => [file.name, file.integrity]));
  writeFileSync(join(to, INTEGRITY), `${JSON.stringify({ version, script: pinned, integrity }, undefined, 2)}\n`);
  return delivered;
}

function deliver(folder: string, name: string): ElementFile {
  const content = readFileSync(join(folder, name));
  const gzip = gzipSync(content, { level: 9 });
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  writeFileSync(join(folder, `${name}.gz`), gzip);
  writeFileSync(join(folder, `${name}.br`), brotli);
  return {
    name,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
    bytes: content.length,
    gzip: gzip.length,
    brotli: brotli.length,
  };
}

/** Writes the build's output: the tags that a page with a pinned version needs, and their sizes. */
export function listing(files: readonly ElementFile[]): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`.padStart(8);
  return files
    .map(({ name, integrity, gzip, brotli }) => `${name.padEnd(width)} ${kb(gzip)} gz ${kb(brotli)} br  ${integrity}`)
    .join('\n');
}
