/**
 * The fonts of the pictures, from packages of the registry, so that pictures are the same on every machine. They cover
 * each character of the element and of the scenes, and U+56FD: without a font for it, ECharts would use the line height
 * of any font of the machine.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const resolve = createRequire(import.meta.url).resolve;

const Families = z.array(z.object({ name: z.string(), package: z.string() }));
/** `characters` contains one of each script and symbol that a test may show, to load their files ahead. */
const Fonts = z.object({ sans: Families, mono: Families, characters: z.string() });

const { sans, mono, characters } = Fonts.parse(
  JSON.parse(readFileSync(new URL('../../test-fonts.json', import.meta.url), 'utf8')),
);
const families = [...sans, ...mono];
const stack = (names: z.output<typeof Families>): string => names.map(({ name }) => `"${name}"`).join(', ');

/** The path of the font files on the test's page. */
export const FONTS_PATH = '/fonts/';

/** The element's custom properties for the fonts of the pictures. */
export const FONT_PROPERTIES = `--service-embed-font: ${stack(sans)}; --service-embed-font-mono: ${stack([...mono, ...sans])};`;

/** Writes the `@font-face` rules of all families. */
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

/** A statement that waits until the fonts are loaded: text on a canvas does not wait for them. */
export const AWAIT_FONTS = `await Promise.all(${JSON.stringify(
  families.map(({ name }) => `14px "${name}"`),
)}.map((font) => document.fonts.load(font, ${JSON.stringify(characters)})));`;

const read = new Map<string, Buffer>();

/** Returns the font file for a path in these rules. */
export function fontFile(path: string): Buffer {
  const name = path.slice(FONTS_PATH.length);
  const file = read.get(name) ?? readFileSync(resolve(name));
  read.set(name, file);
  return file;
}
