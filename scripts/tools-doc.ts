/**
 * Writes the reference of the agent tools into `docs/reference/tools.md`, from the schemas that agents are shown.
 *
 *   npx tsx scripts/tools-doc.ts           writes it
 *   npx tsx scripts/tools-doc.ts --check   fails when it is not up to date
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { notNull } from '../router/json-schema.ts';
import { writeOrCheck } from './generated-file.ts';
import { type ListedTool, toolsOfProduct } from './product-tools.ts';

const FILE = 'docs/reference/tools.md';
const BEGIN = '<!-- Tools: written by `npx tsx scripts/tools-doc.ts`; do not edit. -->';
const END = '<!-- End of the tools. -->';

const Schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

function writeSection({ name, title, description, inputSchema, outputSchema }: ListedTool): string {
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
const sections = (await toolsOfProduct()).map(writeSection).join('\n\n');
const written = `${before}${BEGIN}\n\n${sections}\n\n${END}${after}`;
writeOrCheck(FILE, written, 'npx tsx scripts/tools-doc.ts');
