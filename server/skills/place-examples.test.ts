import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Log } from '../../router/capabilities/log.ts';
import { placeExampleSkills } from './place-examples.ts';

let root: string;
let warnings: number;
const log: Log = { debug() {}, info() {}, warn: () => void warnings++, error() {}, hide() {}, child: () => log };
const at = (name: string) => join(root, name);
const place = () =>
  placeExampleSkills({ examples: at('examples'), directory: at('skills'), dataDirectory: at('data'), log });

beforeEach(() => {
  warnings = 0;
  root = mkdtempSync(join(tmpdir(), 'examples-'));
  for (const folder of ['examples', 'skills', 'data']) mkdirSync(at(folder));
  writeFileSync(at('examples/one.md'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('writes the examples once, so that a removed example stays removed', () => {
  place();
  expect(readFileSync(at('skills/one.md'), 'utf8')).toBe('one');
  rmSync(at('skills/one.md'));
  place();
  expect(readdirSync(at('skills'))).toEqual([]);
});

it('keeps an existing file of that name', () => {
  writeFileSync(at('skills/one.md'), 'mine');
  place();
  expect(readFileSync(at('skills/one.md'), 'utf8')).toBe('mine');
});

it('does not stop the start when the folder is not writable', () => {
  rmSync(at('skills'), { recursive: true });
  place();
  expect(warnings).toBe(1);
});
