/**
 * The fonts of the pictures, from packages of the registry: pictures are the same on every machine, whatever fonts it has.
 * They cover each character of the element and of the scenes. Without one for U+56FD ECharts would take the height of
 * a line from whatever font of the machine has it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const resolve = createRequire(import.meta.url).resolve;

const FAMILIES = [
  { name: 'Noto Sans Variable', folder: '@fontsource-variable/noto-sans' },
  { name: 'Noto Sans Arabic Variable', folder: '@fontsource-variable/noto-sans-arabic' },
  { name: 'Noto Sans JP Variable', folder: '@fontsource-variable/noto-sans-jp' },
  { name: 'Noto Sans Mono Variable', folder: '@fontsource-variable/noto-sans-mono' },
] as const;

/** Characters of each script and of each symbol that a picture may show, for the files that are loaded ahead. */
const CHARACTERS = 'Aa0 … – € ’ › · ● ▲ ▼ ↕ ↑ ↓ ا ٪ \u56fd';

/** Where the test's page finds the files of the fonts. */
export const FONTS_PATH = '/fonts/';

const [SANS, ARABIC, JAPANESE, MONO] = FAMILIES.map(({ name }) => `"${name}"`);

/** The custom properties of the element that name the fonts of pictures. */
export const FONT_PROPERTIES = `--service-embed-font: ${SANS}, ${ARABIC}, ${JAPANESE}; --service-embed-font-mono: ${MONO}, ${ARABIC}, ${JAPANESE};`;

/** Returns the rules `@font-face` of all families. */
export function fontRules(): string {
  return FAMILIES.map(({ folder }) =>
    readFileSync(resolve(`${folder}/index.css`), 'utf8').replaceAll('./files/', `${FONTS_PATH}${folder}/files/`),
  ).join('\n');
}

/** The statement of a module that ends when the fonts are there: text on a canvas does not wait for them. */
export const AWAIT_FONTS = `await Promise.all(${JSON.stringify(
  FAMILIES.map(({ name }) => `14px "${name}"`),
)}.map((font) => document.fonts.load(font, ${JSON.stringify(CHARACTERS)})));`;

const read = new Map<string, Buffer>();

/** Returns the file of a font that the rules name by this path of the page. */
export function fontFile(path: string): Buffer {
  const name = path.slice(FONTS_PATH.length);
  const file = read.get(name) ?? readFileSync(resolve(name));
  read.set(name, file);
  return file;
}
