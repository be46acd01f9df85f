/** Shows embeds of a saved query and a dashboard in pages of another origin, under a strict policy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { complaints, openBrowser, openPage } from './browser.ts';
import { mintToken, signInOverRest } from './embedding.ts';
import { type Host, serveHost } from './host-page.ts';
import { type Product, startProduct } from './product.ts';

/** Paths of the documents. */
export const PATHS = { query: 'shared/walk/q.service', dashboard: 'shared/walk/d.servicedash' } as const;

export interface EmbedWalkOptions {
  readonly query: object;
  readonly dashboard: object;
  /** The pages by path: which document each shows, and the further attributes of its element. */
  readonly pages: Readonly<Record<string, { readonly kind: keyof typeof PATHS; readonly attributes: string }>>;
  /** Further directives of the policy of the pages. */
  readonly policy?: readonly string[];
  /** Texts by their paths in the home of the product. */
  readonly files?: Readonly<Record<string, string>>;
  /** The viewer that the tokens of a page name, by its path. */
  readonly viewers?: Readonly<Record<string, object>>;
}

export interface EmbedWalk {
  readonly product: Product;
  readonly browser: Browser;
  readonly host: Host;
  readonly page: Page;
  /** What the policy and the console of `page` complained about so far. */
  readonly complained: readonly string[];
  /** Headers of the administrator's requests. */
  readonly key: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the product with the two documents, and serves the pages. The state of the embeds stands in the parameter `walk`. */
export async function startEmbedWalk({
  query,
  dashboard,
  pages,
  policy: more = [],
  files = {},
  viewers = {},
}: EmbedWalkOptions): Promise<EmbedWalk> {
  const product = await startProduct();
  const browser = await openBrowser();
  const key = await signInOverRest(product);
  mkdirSync(join(product.home, 'repository/shared/walk'), { recursive: true });
  writeFileSync(join(product.home, 'repository', PATHS.query), JSON.stringify(query));
  writeFileSync(join(product.home, 'repository', PATHS.dashboard), JSON.stringify(dashboard));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(product.home, path), text);
  const embed = async (kind: keyof typeof PATHS, attributes: string, viewer: object | undefined) =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Walk</title>
     <script src="${product.url}/ui/service-embed.js"></script><main><h1>Walk</h1><h2>Sales</h2><service-embed server="${product.url}" path="${PATHS[kind]}" kind="${kind}"
     token="${await mintToken(product, kind, PATHS[kind], viewer)}" state-param="walk" ${attributes}></service-embed></main></html>`;
  const policy = [
    "default-src 'none'",
    `script-src ${product.url}`,
    `connect-src ${product.url}`,
    "style-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    ...more,
  ].join('; ');
  const written: Record<string, string> = {};
  for (const [path, { kind, attributes }] of Object.entries(pages))
    written[path] = await embed(kind, attributes, viewers[path]);
  const host = await serveHost({ pages: written, headers: { 'content-security-policy': policy } });
  const page = await openPage(browser);
  return {
    product,
    browser,
    host,
    page,
    complained: complaints(page),
    key,
    async stop() {
      await browser.close();
      await host.stop();
      await product.stop();
    },
  };
}
