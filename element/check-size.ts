import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Checks how many bytes after gzip a visitor loads: the entry, which every page loads, and each part, which a page loads
 * on demand. Run it after the build: `npx tsx element/check-size.ts`.
 */
const LIMITS = [
  { name: 'entry', file: /^service-embed\.js$/, limit: 17_200 },
  { name: 'charts', file: /^service-embed-charts-.*\.js$/, limit: 188_100 },
  { name: 'chart kind', file: /^service-embed-chart-.*\.js$/, limit: 16_500 },
  { name: 'ai', file: /^service-embed-ai-.*\.js$/, limit: 12_000 },
  { name: 'dashboard', file: /^service-embed-dashboard-.*\.js$/, limit: 9_600 },
  { name: 'drill', file: /^service-embed-drill-.*\.js$/, limit: 10_000 },
  { name: 'filters', file: /^service-embed-filters-.*\.js$/, limit: 10_000 },
  { name: 'grid', file: /^service-embed-grid-.*\.js$/, limit: 6_000 },
  { name: 'matrix', file: /^service-embed-matrix-.*\.js$/, limit: 6_000 },
  { name: 'export', file: /^service-embed-export-.*\.js$/, limit: 6_000 },
  { name: 'refresh', file: /^service-embed-refresh-.*\.js$/, limit: 4_000 },
  { name: 'formatting', file: /^service-embed-formatting-.*\.js$/, limit: 6_000 },
  { name: 'notation', file: /^service-embed-notation-.*\.js$/, limit: 3_500 },
  { name: 'words', file: /^service-embed-words-.*\.js$/, limit: 5_000 },
  { name: 'kpi', file: /^service-embed-kpi-.*\.js$/, limit: 5_000 },
  { name: 'markdown', file: /^service-embed-markdown-.*\.js$/, limit: 5_000 },
] as const;

/** Most bytes of a page with bars or lines: the entry and the charts. */
const PAGE_LIMIT = 205_300;

const folder = new URL('dist/script/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder) : [];

let page = 0;
for (const { name, file, limit } of LIMITS) {
  const builtFiles = files.filter((name) => file.test(name));
  if (builtFiles.length === 0) {
    process.stderr.write(`${name}: not built; run vite build --config element/vite.config.ts first\n`);
    process.exitCode = 1;
  }
  for (const builtFile of builtFiles) {
    const size = gzipSync(readFileSync(new URL(builtFile, folder)), { level: 9 }).length;
    const verdict = size <= limit ? 'ok' : 'TOO LARGE';
    const written = `${(size / 1000).toFixed(1)} KB gzip of ${limit / 1000} KB`;
    process.stdout.write(`${name.padEnd(10)}  ${written.padEnd(24)}  ${verdict}  ${builtFile}\n`);
    if (size > limit) process.exitCode = 1;
    if (name === 'entry' || name === 'charts') page += size;
  }
}

process.stdout.write(
  `page        ${(page / 1000).toFixed(1)} KB gzip of ${PAGE_LIMIT / 1000} KB  ${page <= PAGE_LIMIT ? 'ok' : 'TOO LARGE'}  with bars or lines\n`,
);
if (page > PAGE_LIMIT) process.exitCode = 1;
