import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const HOOK = resolve(import.meta.dirname, 'compiled-code.cjs');

let folder: string;
let kept: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-code-'));
  mkdirSync(join(folder, 'data'));
  kept = join(folder, `data/compiled-code/${process.version}-${process.arch}`);
  write('index.cjs', "module.exports = () => require('./value.cjs') + module.children.length;");
  write('value.cjs', '#!/usr/bin/env node\nmodule.exports = 41;');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

/** Runs code in a new process that uses and keeps compiled code. Returns what it prints. */
function run(code = "console.log(require('./index.cjs')())"): string {
  write(
    'start.cjs',
    `const keep = require(${JSON.stringify(HOOK)}).useCompiledCode('./data/compiled-code');
     Promise.resolve(require('./run.cjs')).then(keep);`,
  );
  write('run.cjs', code);
  return execFileSync(process.execPath, ['start.cjs'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 60_000,
  }).trim();
}

describe.skipIf('enableCompileCache' in Module)('compiled code, where Node does not keep it itself', () => {
  it('is kept once, and runs like the files', () => {
    expect(run()).toBe('42');
    const { ino, mode } = statSync(kept);
    expect(mode & 0o777).toBe(0o600);
    expect(run()).toBe('42');
    expect(statSync(kept).ino).toBe(ino);
  });

  it('is not used for a file that changed, of the same length or not', () => {
    run();
    write('value.cjs', '#!/usr/bin/env node\nmodule.exports = 51;');
    expect(run()).toBe('52');
    write('value.cjs', 'module.exports = 1_000;');
    expect(run()).toBe('1001');
  });

  it('of files that a process does not load stays, until the first file is another one', () => {
    const size = () => statSync(kept).size;
    write('large.cjs', `module.exports = [${Array.from({ length: 5_000 }, (_, at) => `'text ${at}'`)}];`);
    const first = "console.log(require('./' + require('node:fs').readFileSync('next.txt', 'utf8')).length)";
    write('next.txt', 'large.cjs');
    expect(run(first)).toBe('5000');
    const large = size();
    write('small.cjs', 'module.exports = [1];');
    write('next.txt', 'small.cjs');
    expect(run(first)).toBe('1');
    expect(size()).toBeGreaterThan(large);
    write('another.cjs', 'module.exports = [1, 2];');
    write('next.txt', 'another.cjs');
    expect(run(`${first} // changed`)).toBe('2');
    expect(size()).toBeLessThan(large / 2);
  });

  it('is whole where a process stops while it is written', () => {
    const stop = `const keep = require(${JSON.stringify(HOOK)}).useCompiledCode('./data/compiled-code');
      require('./index.cjs')(); keep(); keep().then(() => process.exit());`;
    execFileSync(process.execPath, ['-e', stop], { cwd: folder, timeout: 60_000 });
    expect(readdirSync(dirname(kept))).toEqual([basename(kept)]);
  });

  it('is not used where it is damaged, and is kept anew', () => {
    run();
    const whole = readFileSync(kept);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 40) ^ 255, damaged.length - 40);
    for (const bytes of [damaged, whole.subarray(0, 1_000), Buffer.from('x'), Buffer.alloc(0)]) {
      writeFileSync(kept, bytes);
      expect(run()).toBe('42');
      expect(readFileSync(kept).length).toBe(whole.length);
    }
  });

  it('leaves ES modules and files that import them to Node', () => {
    write('module.mjs', 'export const value = 7;');
    write('module.js', 'exports.read = () => import("./module.mjs");');
    const code = "module.exports = require('./module.js').read().then(({ value }) => console.log(value))";
    expect([run(code), run(code)]).toEqual(['7', '7']);
  });

  it('gives a module the require of Node', () => {
    const code = `console.log([
      require.resolve('./value.cjs') === __dirname + '/value.cjs', require.resolve.paths('x')[0] === __dirname + '/node_modules',
      require.main.filename === __dirname + '/start.cjs', typeof require.extensions['.js'],
      require('./value.cjs') === require.cache[require.resolve('./value.cjs')].exports, this === exports,
    ].join())`;
    expect(run(code)).toBe('true,true,true,function,true,true');
  });

  it('names the place of a mistake', () => {
    write('value.cjs', 'module.exports = ;');
    expect(() => run()).toThrow(/value\.cjs:1/);
  });

  it('is not kept in a home that does not exist', () => {
    rmSync(join(folder, 'data'), { recursive: true });
    expect(run()).toBe('42');
    expect(() => statSync(join(folder, 'data'))).toThrow(/ENOENT/);
  });
});

describe('the home folder of a command line', () => {
  it.each([
    [['start', '--home', '/a'], '/a'],
    [['start', '--home=/b', '--demo'], '/b'],
    [['start'], './service-home'],
    [['start', '--home'], './service-home'],
  ])('%j', (options, home) => {
    const code = `console.log(require(${JSON.stringify(HOOK)}).homeOf(${JSON.stringify(['node', 'service', ...options])}))`;
    expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8', env: {} }).trim()).toBe(home);
  });

  it('is in the environment', () => {
    const code = `console.log(require(${JSON.stringify(HOOK)}).homeOf(['node', 'service', 'start']))`;
    const env = { SERVICE_HOME: '/c' };
    expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8', env }).trim()).toBe('/c');
  });
});
