import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * What the script form costs a visitor: the entry, which every page loads, and the parts, which come when they are
 * needed. Limits are in thousands of bytes after gzip. Run after the build: `npx tsx element/check-size.ts`.
 */
const LIMITS = [
  { name: 'entry', file: /^service-embed\.js$/, limit: 15_000 },
  { name: 'charts', file: /^service-embed-charts-.*\.js$/, limit: 190_000 },
  { name: 'ai', file: /^service-embed-ai-.*\.js$/, limit: 12_000 },
  { name: 'dashboard', file: /^service-embed-dashboard-.*\.js$/, limit: 8_000 },
  { name: 'grid', file: /^service-embed-grid-.*\.js$/, limit: 6_000 },
  { name: 'matrix', file: /^service-embed-matrix-.*\.js$/, limit: 6_000 },
  { name: 'export', file: /^service-embed-export-.*\.js$/, limit: 4_000 },
  { name: 'refresh', file: /^service-embed-refresh-.*\.js$/, limit: 4_000 },
  { name: 'sparkline', file: /^service-embed-sparkline-.*\.js$/, limit: 4_000 },
] as const;

const folder = new URL('dist/script/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder) : [];

for (const { name, file, limit } of LIMITS) {
  const found = files.filter((each) => file.test(each));
  if (found.length === 0) {
    process.stderr.write(`${name}: not built; run vite build --config element/vite.config.ts first\n`);
    process.exitCode = 1;
  }
  for (const each of found) {
    const size = gzipSync(readFileSync(new URL(each, folder)), { level: 9 }).length;
    const verdict = size <= limit ? 'ok' : 'TOO LARGE';
    const written = `${(size / 1000).toFixed(1)} KB gzip of ${limit / 1000} KB`;
    process.stdout.write(`${name.padEnd(9)}  ${written.padEnd(24)}  ${verdict}  ${each}\n`);
    if (size > limit) process.exitCode = 1;
  }
}
