import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { clearScratch, ownScratchName } from './scratch.ts';

it("files of a killed process's uploads and imports are deleted at the next start, and no other files", async () => {
  const data = mkdtempSync(join(tmpdir(), 'service-scratch-'));
  const killed = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    const nameOf = (pid: number | undefined) => ownScratchName().replace(/\d+$/, String(pid));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const put = (path: string) => {
      mkdirSync(dirname(join(data, path)), { recursive: true });
      writeFileSync(join(data, path), 'x');
      return path;
    };
    const left = [
      put(`uploads/${nameOf(killed.pid)}/upload-1`),
      put(`imports/.import-${nameOf(killed.pid)}-abc/made.duckdb`),
      put(`acme/imports/.import-${nameOf(killed.pid)}-abc/spill/1`),
      // An earlier process with the same number, like the first process of each container.
      put(`uploads/${ownScratchName()}/profile-1.duckdb`),
      put('uploads/of-an-earlier-version'),
    ];
    utimesSync(join(data, 'uploads/of-an-earlier-version'), 1, 1);
    const kept = [
      put(`uploads/${nameOf(living.pid)}/upload-2`),
      put(`imports/.import-${nameOf(living.pid)}-abc/made.duckdb`),
      put('uploads/by-othermachine-1/upload-3'),
      put('imports/upload-1.duckdb'),
      put('shop.duckdb'),
    ];
    await clearScratch(data);
    expect(left.filter((path) => existsSync(join(data, path)))).toEqual([]);
    expect(kept.filter((path) => !existsSync(join(data, path)))).toEqual([]);
  } finally {
    living.kill('SIGKILL');
    rmSync(data, { recursive: true });
  }
});
