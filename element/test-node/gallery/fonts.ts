/**
 * The fonts of the pictures, from packages of the registry: pictures are the same on every machine, whatever fonts it has.
 * They cover each character of the element and of the scenes. Without one for U+56FD ECharts would take the height of
 * a line from whatever font of the machine has it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const resolve = createRequire(import.meta.url).resolve;

const Families = z.array(z.object({ name: z.string(), package: z.string() }));
/** `characters` are of each script and each symbol that a test may show: the files that are loaded ahead. */
const Fonts = z.object({ sans: Families, mono: Families, characters: z.string() });

const { sans, mono, characters } = Fonts.parse(
  JSON.parse(readFileSync(new URL('../../test-fonts.json', import.meta.url), 'utf8')),
);
const families = [...sans, ...mono];
const stack = (names: z.output<typeof Families>): string => names.map(({ name }) => `"${name}"`).join(', ');

/** Where the test's page finds the files of the fonts. */
export const FONTS_PATH = '/fonts/';

/** The custom properties of the element that name the fonts of pictures. */
export const FONT_PROPERTIES = `--service-embed-font: ${stack(sans)}; --service-embed-font-mono: ${stack([...mono, ...sans])};`;

/** Returns the rules `@font-face` of all families. */
export function fontRules(): string {
  return families
    .map((family) =>
      readFileSync(resolve(`${family.package}/index.css`), 'utf8').replaceAll(
        './files/',
        `${FONTS_PATH}${family.package}/files/`,
      ),
    )
    .join('\n');
}

/** The statement of a module that ends when the fonts are there: text on a canvas does not wait for them. */
export const AWAIT_FONTS = `await Promise.all(${JSON.stringify(
  families.map(({ name }) => `14px "${name}"`),
)}.map((font) => document.fonts.load(font, ${JSON.stringify(characters)})));`;

const read = new Map<string, Buffer>();

/** Returns the file of a font that the rules name by this path of the page. */
export function fontFile(path: string): Buffer {
  const name = path.slice(FONTS_PATH.length);
  const file = read.get(name) ?? readFileSync(resolve(name));
  read.set(name, file);
  return file;
}
