/** Finds the tables that dbt built: from `target/manifest.json`, or from the names only. */
import { z } from 'zod';
import { jsonOrUndefined } from '../../../router/json.ts';
import { identifier } from '../../semantic/index.ts';
import type { RelationNames } from './datasets.ts';

const node = z.looseObject({
  resource_type: z.string().optional(),
  name: z.string(),
  source_name: z.string().optional(),
  relation_name: z.string().nullish(),
});
const manifest = z.looseObject({
  nodes: z.record(z.string(), node).optional(),
  sources: z.record(z.string(), node).optional(),
});

export type Manifest = z.output<typeof manifest>;

/** Reads a manifest; `undefined` when the text is not a manifest. */
export function readManifest(text: string): Manifest | undefined {
  return manifest.safeParse(jsonOrUndefined(text)).data;
}

/**
 * Makes a reader of relations: `ref('orders')`, `ref('package', 'orders')`, `source('raw', 'orders')`, each with or
 * without `{{ }}`, or a plain name.
 */
export function relationNames(options: {
  readonly schema?: string | undefined;
  readonly manifest?: Manifest | undefined;
}): RelationNames {
  const nodes = Object.values(options.manifest?.nodes ?? {});
  const sources = Object.values(options.manifest?.sources ?? {});
  return (written) => {
    const texts = [...written.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
    const isSource = /^\W*source\s*\(/.test(written);
    const name = texts.at(-1) ?? written.trim();
    const built = isSource
      ? sources.find((one) => one.name === name && one.source_name === texts[0])
      : nodes.find((one) => one.name === name && ['model', 'seed', 'snapshot'].includes(one.resource_type ?? 'model'));
    if (built?.relation_name != null) return built.relation_name;
    // A plain name may already be qualified; the name in a reference is one part.
    const table = texts.length === 0 ? name : identifier(name);
    const schema = isSource ? identifier(texts[0] ?? '') : options.schema;
    return schema === undefined ? table : `${schema}.${table}`;
  };
}
