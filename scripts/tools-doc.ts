/**
 * Writes the reference of the agent tools into `docs/reference/tools.md`, from the schemas that agents are shown.
 *
 *   npx tsx scripts/tools-doc.ts           writes it
 *   npx tsx scripts/tools-doc.ts --check   fails when it is not up to date
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { cube } from '../plugins/cube/index.ts';
import { semantic } from '../plugins/semantic/index.ts';
import { notNull } from '../router/json-schema.ts';
import { operations } from '../router/operation.ts';
import { routersOf } from '../router/plugin.ts';
import { collectRoutes } from '../router/rest/routes.ts';
import { NO_JOBS } from '../router/testing/no-jobs.ts';
import { collectTools, type Tool } from '../router/tools/tools.ts';
import { openCache } from '../server/cache/cache.ts';
import { readConfig } from '../server/config/read-config.ts';
import { cubeSettings, semanticSettings } from '../server/config/surface-settings.ts';
import { openLog } from '../server/log/log.ts';
import { openState } from '../server/state/index.ts';
import { openWarehouses } from '../server/warehouse/index.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/tools.md';
const BEGIN = '<!-- Tools: written by `npx tsx scripts/tools-doc.ts`; do not edit. -->';
const END = '<!-- End of the tools. -->';

/** Lists the tools of the product's operations, over surfaces without data. */
async function tools(): Promise<readonly Tool[]> {
  const log = openLog('silent');
  const { config } = readConfig({ properties: '', environment: {} });
  const state = await openState({ url: undefined, sqliteFile: ':memory:', log });
  const warehouses = openWarehouses({ statementTimeoutMs: 1_000, poolSize: 1, home: '.', log });
  const common = {
    warehouses,
    cache: openCache({ maxBytes: 0, clock: Date.now }),
    jobs: NO_JOBS,
    log,
    clock: Date.now,
  };
  const plugins = [
    cube({ ...common, state, settings: cubeSettings(config) }).plugin,
    semantic({ ...common, settings: semanticSettings(config) }).plugin,
  ] as const;
  const router = operations(routersOf(plugins));
  const tools = [...collectTools({ router, routes: collectRoutes(plugins), onError: () => {} }).values()];
  await warehouses.close();
  await state.close();
  return tools;
}

const Schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

function writeSection({ name, title, description, inputSchema, outputSchema }: Tool): string {
  const { properties, required } = Schema.parse(inputSchema);
  const rows = Object.entries(properties).map(([member, schema]) => {
    const description = cell(schema.description ?? '');
    return `| \`${member}\` | ${cell(writeType(schema))} | ${required.includes(member) ? 'required' : ''} | ${description} |`;
  });
  const table =
    rows.length === 0 ? 'No arguments.' : ['| Argument | Type | | |', '|---|---|---|---|', ...rows].join('\n');
  const answer = Object.keys(Schema.parse(outputSchema).properties);
  const answers = answer.length === 0 ? '' : `\n\nAnswer: ${answer.map((member) => `\`${member}\``).join(', ')}.`;
  return `### \`${name}\`\n\n${title}. ${description}\n\n${table}${answers}`;
}

function writeType(described: Readonly<Record<string, unknown>>): string {
  const schema = notNull(described);
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (typeof schema.$ref === 'string') return `\`${schema.$ref.split('/').at(-1)}\``;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (Array.isArray(schema.anyOf))
    return [...new Set(schema.anyOf.map((each) => writeType(z.looseObject({}).parse(each))))].join(' or ');
  if (schema.type === 'array') return `list of ${writeType(z.looseObject({}).parse(schema.items ?? {}))}`;
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const text = readFileSync(FILE, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined)
  throw new Error(`${FILE} has no place for the tools: ${BEGIN} … ${END}`);
const sections = (await tools()).map(writeSection).join('\n\n');
const written = `${before}${BEGIN}\n\n${sections}\n\n${END}${after}`;
writeOrCheck(FILE, written, 'npx tsx scripts/tools-doc.ts');
