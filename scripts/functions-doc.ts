/**
 * Writes the table of MDX functions in `docs/reference/mdx.md` from the functions' definitions.
 *
 *   npx tsx scripts/functions-doc.ts           writes it
 *   npx tsx scripts/functions-doc.ts --check   fails when it is not up to date
 */
import { readFileSync } from 'node:fs';
import { functionDocumentation } from '../plugins/cube/mdx/functions/documentation-table.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/mdx.md';
const HEAD =
  '<!-- Written by `npx tsx scripts/functions-doc.ts`; change the definitions in plugins/cube/mdx/functions instead. -->';

const page = readFileSync(FILE, 'utf8');
const from = page.indexOf(HEAD);
if (from < 0) {
  console.error(`${FILE} has no place for the table of functions.`);
  process.exit(1);
}
const text = `${page.slice(0, from)}${HEAD}\n\n${functionDocumentation()}\n`;
writeOrCheck(FILE, text, 'npx tsx scripts/functions-doc.ts');
