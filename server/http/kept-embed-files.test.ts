/** Tests that a service still serves the versions of the element that it served before an update. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliverElement } from '../../scripts/element-files.ts';
import { keepEmbedFiles } from './kept-embed-files.ts';
import { openPort } from './port.ts';
import { pages } from './static-files.ts';

let folder: string;
let kept: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-kept-'));
  kept = join(folder, 'kept');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Builds a version of the element, in a new folder as an update does. */
function build(version: string, code = version): string {
  const [from, to] = [join(folder, `from-${version}-${code}`), join(folder, `ui-${version}-${code}`)];
  for (const each of [from, to]) mkdirSync(each);
  writeFileSync(join(from, 'service-embed.js'), `entry ${code}`);
  writeFileSync(join(from, `service-embed-charts-${version}-${code}.js`), `charts ${code}`);
  deliverElement(from, to, version);
  writeFileSync(join(to, `service-embed-${version}.tgz`), `package ${code}`);
  writeFileSync(join(to, 'index.html'), 'a page');
  return to;
}

async function withService<T>(ui: string, use: (get: (name: string) => Promise<Response>) => Promise<T>): Promise<T> {
  const host = await openPort('127.0.0.1', 0);
  try {
    host.serve(express().use('/ui', pages(ui, keepEmbedFiles(ui, kept))));
    return await use((name) => fetch(`http://127.0.0.1:${host.port}/ui/${name}`));
  } finally {
    await host.stop(100);
  }
}

test('after two updates, each version has its script, its parts and its package', async () => {
  for (const version of ['1.9.0', '1.10.0']) keepEmbedFiles(build(version), kept);
  await withService(build('2.0.0'), async (get) => {
    for (const version of ['1.9.0', '1.10.0', '2.0.0']) {
      const texts = [
        `service-embed@${version}.js`,
        `service-embed-charts-${version}-${version}.js`,
        `service-embed-${version}.tgz`,
      ].map(async (name) => (await get(name)).text());
      expect(await Promise.all(texts)).toEqual([`entry ${version}`, `charts ${version}`, `package ${version}`]);
    }
    const script = await get('service-embed.js');
    expect(await script.text()).toBe('entry 2.0.0');
    const missing = await get('service-embed@3.0.0.js');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({
      available: ['service-embed@2.0.0.js', 'service-embed@1.10.0.js', 'service-embed@1.9.0.js', 'service-embed.js'],
    });
    expect(existsSync(join(kept, '1.9.0', 'index.html'))).toBe(false);
  });
});

test('a version that is built again replaces its copy, and an unchanged one is not copied again', () => {
  keepEmbedFiles(build('1.0.0', 'first'), kept);
  const again = build('1.0.0', 'second');
  keepEmbedFiles(again, kept);
  expect(readdirSync(join(kept, '1.0.0'))).toContain('service-embed-charts-1.0.0-second.js');
  expect(readdirSync(join(kept, '1.0.0'))).not.toContain('service-embed-charts-1.0.0-first.js');
  rmSync(join(kept, '1.0.0', 'service-embed@1.0.0.js'));
  keepEmbedFiles(again, kept);
  expect(readdirSync(join(kept, '1.0.0'))).not.toContain('service-embed@1.0.0.js');
  expect(readdirSync(kept)).toEqual(['1.0.0']);
});

test('without a built interface, earlier versions are still there', () => {
  keepEmbedFiles(build('1.0.0'), kept);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  expect(keepEmbedFiles(empty, kept)).toEqual([join(kept, '1.0.0')]);
});
