import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that a script generates. With the option `--check` it only compares: where the file differs, it reports the command
 * that writes it, and the process exits with 1.
 */
export function writeOrCheck(file: string, text: string, command: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (process.argv.includes('--check')) {
    console.error(`${file} is not up to date: run ${command}`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
