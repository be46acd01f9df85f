/** Keeps the versions of the element that this service has served, so that pages which pin one work after an update. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The build's file with versions and hashes. */
const INTEGRITY_FILE = 'service-embed.integrity.json';

const Delivered = z.object({ version: z.string().regex(/^\d[\w.+-]*$/), script: z.string() });
export type DeliveredElement = z.infer<typeof Delivered>;

/** Returns which version a folder has; `undefined` without the build's list. */
export function deliveredIn(directory: string): DeliveredElement | undefined {
  const file = join(directory, INTEGRITY_FILE);
  return existsSync(file) ? Delivered.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined;
}

/**
 * Copies the files of the present version from `directory` to `<kept>/<version>`, and returns the folders of the other
 * versions, the newest copies first. A version that was built again replaces its copy.
 */
export function keepEmbedFiles(directory: string, kept: string): readonly string[] {
  const delivered = deliveredIn(directory);
  if (delivered !== undefined) keep(directory, kept, delivered);
  if (!existsSync(kept)) return [];
  return readdirSync(kept)
    .filter((version) => version !== delivered?.version && deliveredIn(join(kept, version)) !== undefined)
    .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }))
    .map((version) => join(kept, version));
}

function keep(directory: string, kept: string, { version }: DeliveredElement): void {
  const folder = join(kept, version);
  const list = (of: string) => readFileSync(join(of, INTEGRITY_FILE), 'utf8');
  if (existsSync(join(folder, INTEGRITY_FILE)) && list(folder) === list(directory)) return;
  // Several processes may share the folder: a copy is whole before it has its name.
  const whole = join(kept, `.${version}-${process.pid}`);
  rmSync(whole, { recursive: true, force: true });
  mkdirSync(whole, { recursive: true });
  for (const name of readdirSync(directory)) {
    if (isOfVersion(name, version) || name === INTEGRITY_FILE) copyFileSync(join(directory, name), join(whole, name));
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(whole, folder);
}

/** Returns whether a file has the version in its name: then it never changes. */
function isOfVersion(name: string, version: string): boolean {
  return /^service-embed[@-]/.test(name) && name.includes(version);
}
