/**
 * Writes what the element shares with the server into the element, which imports nothing from the server: the closed lists, the CSV writer and the
 * labels of periods. Also writes the list of its languages.
 *
 *   npx tsx scripts/element-lists.ts           writes them
 *   npx tsx scripts/element-lists.ts --check   fails when they are not up to date
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { CHART_MODES } from '../router/chart-modes.ts';
import { CHART_SETTINGS, type Setting, type SettingTable } from '../router/chart-settings.ts';
import { FILTER_OPERATORS } from '../router/filter-operators.ts';
import { FILTER_CONTROLS, TILE_KINDS } from '../router/tile-kinds.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'element/src/generated/closed-lists.ts';
const operators = Object.entries(FILTER_OPERATORS).map(([name, { arity }]) => `  ${name}: ${arity !== 'none'},`);
const text = `// Written by \`npx tsx scripts/element-lists.ts\` from the lists of the server; do not edit.

/** Lists the chart modes. */
export const CHART_MODES = [${CHART_MODES.map((mode) => `'${mode}'`).join(', ')}] as const;

/** Lists the kinds of dashboard tiles. */
export const TILE_KINDS = [${TILE_KINDS.map((kind) => `'${kind}'`).join(', ')}] as const;

/** Lists the ways to choose in a filter. */
export const FILTER_CONTROLS = [${FILTER_CONTROLS.map((control) => `'${control}'`).join(', ')}] as const;

/** Lists the operators of a filter, each with whether it compares with values. */
export const FILTER_OPERATORS = {
${operators.join('\n')}
} as const;
`;

/** Adds nothing by hand: a file in this folder is a language. */
const languages = readdirSync('element/src/words/languages')
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();
const LANGUAGES_FILE = 'element/src/generated/languages.ts';
const languagesText = `// Written by \`npx tsx scripts/element-lists.ts\` from the files of element/src/words/languages/; do not edit.

/** Lists the languages besides English that the element has words in. */
export const LANGUAGES = [${languages.map((tag) => `'${tag}'`).join(', ')}] as const;

export type Language = (typeof LANGUAGES)[number];
`;
const IMPORTS_FILE = 'element/src/words/language-parts.ts';
const imports = `// Written by \`npx tsx scripts/element-lists.ts\` from the files of element/src/words/languages/; do not edit.

/** Imports the words of each language dynamically, so that a bundler writes each into a file of its own. */
export const LANGUAGE_PARTS = {
${languages.map((tag) => `'words-${tag}': () => import('./languages/${tag}.ts'),`).join('\n')}
} as const;
`;

const SETTINGS_FILE = 'element/src/generated/chart-settings.ts';
const settings = `// Written by \`npx tsx scripts/element-lists.ts\` from router/chart-settings.ts; do not edit.

/** Describes a setting, or a group of settings, without its words. */
export type Setting =
  | { readonly type: 'boolean' | 'text' | 'column' | 'colour' }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: true }
  | { readonly type: 'list'; readonly of: Setting; readonly maxItems: number }
  | { readonly type: 'map'; readonly of: Setting; readonly maxItems: number }
  | { readonly type: 'group'; readonly members: Readonly<Record<string, Setting>> };

/** The settings of a chart. Each is optional. */
export interface ChartSettings ${typeText(CHART_SETTINGS, '')}

/** Contains all settings, for their checks. */
export const CHART_SETTINGS: Readonly<Record<string, Setting>> = ${JSON.stringify(CHART_SETTINGS, withoutWords)};
`;

/** Leaves out what only readers of the documentation need. */
function withoutWords(name: string, value: unknown): unknown {
  return name === 'description' || (name === 'maxLength' && typeof value === 'number') ? undefined : value;
}

function typeText(table: SettingTable, indent: string): string {
  const members = Object.entries(table).map(
    ([name, setting]) =>
      `${indent}  /** ${setting.description} */\n${indent}  readonly ${name}?: ${valueText(setting, `${indent}  `)} | undefined;`,
  );
  return `{\n${members.join('\n')}\n${indent}}`;
}

function valueText(setting: Setting, indent: string): string {
  switch (setting.type) {
    case 'choice':
      return setting.values.map((value) => `'${value}'`).join(' | ');
    case 'boolean':
    case 'number':
      return setting.type;
    case 'text':
    case 'column':
    case 'colour':
      return 'string';
    case 'list':
      return `readonly ${bracketed(valueText(setting.of, indent))}[]`;
    case 'map':
      return `Readonly<Record<string, ${valueText(setting.of, indent)}>>`;
    case 'group':
      return typeText(setting.members, indent);
  }
}

function bracketed(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;
}

/** Modules of the server that the element has whole. */
const COPIES = ['column-headings', 'csv', 'heading-words', 'period-labels'];

for (const name of COPIES) {
  const copy = `// Written by \`npx tsx scripts/element-lists.ts\` from router/${name}.ts; do not edit.

${readFileSync(`router/${name}.ts`, 'utf8')}`;
  writeOrCheck(`element/src/generated/${name}.ts`, formatted(copy), 'npx tsx scripts/element-lists.ts');
}
writeOrCheck(SETTINGS_FILE, formatted(settings), 'npx tsx scripts/element-lists.ts');
writeOrCheck(LANGUAGES_FILE, formatted(languagesText), 'npx tsx scripts/element-lists.ts');
writeOrCheck(IMPORTS_FILE, formatted(imports), 'npx tsx scripts/element-lists.ts');
writeOrCheck(FILE, formatted(text), 'npx tsx scripts/element-lists.ts');

/** Returns the path of a command. */
function bin(path: string): string {
  return `node_modules/${path}`;
}

/** Returns the text as `npm run format` writes it. */
function formatted(source: string): string {
  const biome = spawnSync(bin('@biomejs/biome/bin/biome'), ['format', '--stdin-file-path=list.ts'], {
    input: source,
    encoding: 'utf8',
  });
  if (biome.status !== 0) throw new Error(biome.stderr);
  return biome.stdout;
}
