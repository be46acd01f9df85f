import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of parts of the tree, in a separate folder below `.cache`, where the libraries resolve as in the tree. */
export class TreeCopy {
  readonly #folder: string;

  constructor(name: string, paths: readonly string[]) {
    this.#folder = join(root, '.cache', name);
    rmSync(this.#folder, { recursive: true, force: true });
    for (const path of paths) cpSync(join(root, path), join(this.#folder, path), { recursive: true });
  }

  /** Replaces `text` by `other` in a file. Throws where it is not there exactly once. */
  replace(path: string, text: string, other: string): void {
    const before = readFileSync(join(this.#folder, path), 'utf8');
    if (before.split(text).length !== 2) throw new Error(`${path} does not have ${text} once.`);
    this.write(path, before.replace(text, other));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), text);
  }

  /** Returns the errors of the compiler in `files`, one for each place, such as `router/a.ts: … is missing in type …`. */
  errorsIn(files: readonly string[], compilerOptions: object = {}): readonly string[] {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'], rootDir: '.', ...compilerOptions },
      include: files,
    };
    this.write('tsconfig.json', JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
    // Several threads would each check the shared files again: twice the work, and no time saved beside other tests.
    const options = ['-p', this.#folder, '--pretty', 'false', '--singleThreaded'];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options], { cwd: this.#folder, encoding: 'utf8' });
    return stdout
      .split('\n')
      .filter((line) => /^\S/.test(line))
      .map((line) => line.replace(/\(\d+,\d+\): error TS\d+/, ''));
  }
}
