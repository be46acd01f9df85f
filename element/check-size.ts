import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Checks how many bytes after gzip a visitor loads: the entry, which every page loads, and each part, which a page loads
 * on demand. Run it after the build: `npx tsx element/check-size.ts`.
 */
const LIMITS = [
  { name: 'entry', file: /^service-embed\.js$/, limit: 17_000 },
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
  const builtFiles = files.filter((name) => file.test(name));
  if (builtFiles.length === 0) {
    process.stderr.write(`${name}: not built; run vite build --config element/vite.config.ts first\n`);
    process.exitCode = 1;
  }
  for (const builtFile of builtFiles) {
    const size = gzipSync(readFileSync(new URL(builtFile, folder)), { level: 9 }).length;
    const verdict = size <= limit ? 'ok' : 'TOO LARGE';
    const written = `${(size / 1000).toFixed(1)} KB gzip of ${limit / 1000} KB`;
    process.stdout.write(`${name.padEnd(9)}  ${written.padEnd(24)}  ${verdict}  ${builtFile}\n`);
    if (size > limit) process.exitCode = 1;
  }
}
