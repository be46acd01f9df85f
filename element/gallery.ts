import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NO_PAPER, PAPER_PAGES, takePaper } from './test-node/gallery/paper-pages.ts';
import { THEMES, takePicture, withScene } from './test-node/gallery/picture.ts';
import { SCENES } from './test-node/gallery/scenes.ts';
import { bundledElement, openChromium } from './test-node/host-page.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, to: { type: 'string' } },
});

if (values.help) {
  process.stdout.write(`Takes the pictures of docs/gallery: each state of the element, light and dark.

  npx tsx element/gallery.ts [SCENE…] [--to FOLDER]

SCENE        takes only these pictures, such as: table dashboard
--to FOLDER  writes into another folder, for a first look
`);
  process.exit(0);
}

const gallery = fileURLToPath(new URL('../docs/gallery', import.meta.url));
const folder = values.to ?? gallery;
const isWanted = ({ name }: { readonly name: string }) => positionals.length === 0 || positionals.includes(name);
const scenes = SCENES.filter(isWanted);
const papers = PAPER_PAGES.filter(isWanted);
if (scenes.length + papers.length < Math.max(1, positionals.length)) {
  process.stderr.write(
    `Unknown scene. The scenes are: ${[...SCENES, ...PAPER_PAGES].map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}
if (papers.length > 0 && NO_PAPER !== undefined) {
  process.stderr.write(`${NO_PAPER}\n`);
  process.exit(1);
}
if (positionals.length === 0 && folder === gallery) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const browser = await openChromium();
const stage = { browser, files: await bundledElement(), idle: [] };
let total = 0;
function keep(name: string, png: Buffer): void {
  writeFileSync(`${folder}/${name}`, png);
  total += png.length;
  process.stdout.write(`${name.padEnd(28)} ${(png.length / 1000).toFixed(1).padStart(6)} KB\n`);
}
try {
  for (const scene of scenes) {
    for (const theme of THEMES) {
      keep(`${scene.name}-${theme}.png`, await withScene(stage, scene, theme, takePicture));
    }
  }
  for (const paper of papers) keep(`${paper.name}.png`, await takePaper(paper));
} finally {
  await browser.close();
}
const row = ({ name, shows }: (typeof SCENES)[number]): string =>
  `| ${shows} | ${THEMES.map((theme) => `<img src="./${name}-${theme}.png" alt="${shows}, ${theme}" width="400">`).join(' | ')} |`;
writeFileSync(
  `${folder}/README.md`,
  `# Gallery

Every state of \`<service-embed>\` in light and dark. \`npx tsx element/gallery.ts\` takes the pictures in Chromium, from fixed answers
(\`element/test-node/gallery/scenes.ts\`) and with fonts of its own (\`element/test-node/gallery/fonts.ts\`), so they are identical on every machine.
A test takes them again and compares them.

| | Light | Dark |
| --- | --- | --- |
${SCENES.map(row).join('\n')}

## Documents

Paper has one theme.

${PAPER_PAGES.map(({ name, shows }) => `<img src="./${name}.png" alt="${shows}" width="640">\n\n${shows}.`).join('\n\n')}
`,
);
process.stdout.write(`${scenes.length * THEMES.length + papers.length} pictures, ${(total / 1000).toFixed(0)} KB\n`);
