import { constants, copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../router/capabilities/log.ts';

/**
 * Copies the example skills into the skills folder at the first start of a home, and never again: an example that the administrator removed stays
 * away, and an existing file of the same name stays.
 */
export function placeExampleSkills({
  examples,
  directory,
  dataDirectory,
  log,
}: {
  /** Folder of the built examples. */
  readonly examples: string;
  readonly directory: string;
  /** Records that the examples were copied. */
  readonly dataDirectory: string;
  readonly log: Log;
}): void {
  const marker = join(dataDirectory, 'example-skills-placed');
  if (existsSync(marker) || !existsSync(examples)) return;
  try {
    for (const name of readdirSync(examples)) {
      const target = join(directory, name);
      if (!existsSync(target)) copyFileSync(join(examples, name), target, constants.COPYFILE_EXCL);
    }
    writeFileSync(marker, '');
  } catch (error) {
    log.warn({ err: error }, 'the example skills could not be placed; everything else works without them');
  }
}
