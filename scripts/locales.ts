/**
 * Compares the words of the pages with their translations. The sources have the words in English, `msg('Save')`; each file of `server/ui/locales/` has
 * those words in one language. The sentences of the server that pages show are in `words/sentences/`, `sentence('Drop it')`.
 *
 *   npx tsx scripts/locales.ts           adds missing words with an empty translation, and removes words that no page has
 *   npx tsx scripts/locales.ts --check   fails when a language is incomplete
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCES = 'server/ui';
/** It makes its messages from the sentences of the folder. */
const SERVER_WORDS = join(SOURCES, 'words', 'server-words.ts');
const SENTENCES = join(SOURCES, 'words', 'sentences', '/');
const FOLDER = 'server/ui/locales';

/** The place of each text in the sources. */
const placeByText = new Map<string, string>();
const problems: string[] = [];

for (const file of sourceFiles()) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const reads = file.startsWith(SENTENCES) ? 'sentence' : 'msg';
      if (node.expression.text === reads && file !== SERVER_WORDS)
        readMessage(node, `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const file of readdirSync(FOLDER)) {
  const path = join(FOLDER, file);
  const translations: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
  if (process.argv.includes('--check')) compare(path, translations);
  else
    writeFileSync(
      path,
      `${JSON.stringify(Object.fromEntries([...placeByText.keys()].toSorted(byLetters).map((text) => [text, translations[text] ?? ''])), null, 2)}\n`,
    );
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function sourceFiles(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(SOURCES, file))
    .toSorted();
}

function readMessage(call: ts.CallExpression, place: string): void {
  const [template] = call.arguments;
  const text = template === undefined ? undefined : textOf(template);
  if (text === undefined)
    problems.push(
      `${place}: msg() takes a text, str\`…\` or html\`…\`, so that its words can be read from the source.`,
    );
  else if (text.includes('<') !== isTagged(template, 'html'))
    problems.push(`${place}: use html\`…\` for a text with tags, and only for that.`);
  else if (!placeByText.has(text)) placeByText.set(text, place);
}

/** Returns a text with `{0}` for its first value. */
function textOf(template: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(template)) return template.text;
  if (!ts.isTaggedTemplateExpression(template)) return undefined;
  const { template: content } = template;
  if (ts.isNoSubstitutionTemplateLiteral(content)) return content.text;
  return content.templateSpans.reduce(
    (text, { literal }, index) => `${text}{${index}}${literal.text}`,
    content.head.text,
  );
}

function isTagged(template: ts.Expression | undefined, tag: string): boolean {
  return (
    template !== undefined &&
    ts.isTaggedTemplateExpression(template) &&
    ts.isIdentifier(template.tag) &&
    template.tag.text === tag
  );
}

function compare(path: string, translations: Readonly<Record<string, string>>): void {
  for (const [text, place] of placeByText) {
    const translation = translations[text] ?? '';
    if (translation === '') problems.push(`${path} has no words for "${text}" (${place}).`);
    else if (String(valuesOf(text)) !== String(valuesOf(translation)))
      problems.push(`${path}: "${translation}" has other values than "${text}".`);
  }
  const texts = Object.keys(translations);
  for (const text of texts) if (!placeByText.has(text)) problems.push(`${path}: no page has "${text}".`);
  if (String(texts) !== String(texts.toSorted(byLetters)))
    problems.push(`${path} is not in order: run npx tsx scripts/locales.ts`);
}

function valuesOf(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g) ?? [])].toSorted();
}

function byLetters(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : a < b ? -1 : a > b ? 1 : 0;
}
