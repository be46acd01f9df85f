import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { CHART_MODES } from '../../router/chart-modes.ts';

/**
 * The demo is no part of the product: it is built beside it (`dist/demo`) and loaded only by `start --demo`. This is the type of its one function and
 * of its showcase.
 */
export interface DemoModule {
  stageDemo(target: {
    readonly dataDirectory: string;
    readonly datasourcesDirectory: string;
    readonly repositoryDirectory: string;
    readonly contentDirectory: string;
    readonly onProgress?: (done: number, total: number, what: string) => void;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly staged: readonly string[] }>;
}

/** Documents of the demo on the home page. Each has a public grant, except ask boxes. */
export const Showcase = z.array(
  z.strictObject({
    path: z.string(),
    kind: z.enum(['query', 'dashboard', 'ai']),
    title: z.string(),
    description: z.string(),
    render: z.enum(['table', 'chart']).default('table'),
    mode: z.enum(CHART_MODES).default('bar'),
    height: z.string().default('400px'),
  }),
);
export type Showcase = z.output<typeof Showcase>;

export interface Demo {
  readonly module: DemoModule;
  readonly contentDirectory: string;
  readonly showcase: Showcase;
}

/** Loads the demo from `directory` (`dist/demo`), or `undefined` where it was not built. */
export function loadDemo(directory: URL): Demo | undefined {
  const entry = new URL('stage.cjs', directory);
  if (!existsSync(entry)) return undefined;
  // A file of another build: the product's bundle does not include the demo.
  const module: DemoModule = createRequire(entry)(fileURLToPath(entry));
  const contentDirectory = fileURLToPath(new URL('content/', directory));
  const showcase = Showcase.parse(JSON.parse(readFileSync(new URL('content/showcase.json', directory), 'utf8')));
  return { module, contentDirectory, showcase };
}
