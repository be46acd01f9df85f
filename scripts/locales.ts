/**
 * Compares the words of the pages with their translations. The sources have the words in English, `msg('Save')`; each file of `server/ui/locales/` has
 * those words in one language. The sentences of the server that pages show are in `words/sentences/`, `sentence('Drop it')`. Words in a template or in a
 * label that no `msg()` reads are a problem, too: every language would show them in English.
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

/** Attributes and members that a visitor reads. */
const READ_BY_VISITORS = 'aria-label|placeholder|title|alt|label|heading|hint|note|caption|action';
const SHOWN_ATTRIBUTE = new RegExp(`\\s(?:${READ_BY_VISITORS})="?([^"\\s>\uFFFC]*\\p{L}{2}[^">\uFFFC]*)`, 'gu');
const SHOWN_MEMBER = new RegExp(`^(?:${READ_BY_VISITORS}|description)$`);
/** Names that are the same in every language, and examples of code and of addresses. */
const SAME_IN_ALL_LANGUAGES =
  /^(?:service|Terminal|Python|curl|MCP|MDX|SQL|HTML|JSON|YAML|CSV|Esc|px|ms|Ctrl [A-Z]|\S*[/:_]\S*|\w+ = '.*')$/;
/** Its titles are for the documentation; `shell/page-links.ts` has the words of pages. */
const PAGES = join(SOURCES, 'pages.ts');

/** The place of each text in the sources. */
const placeByText = new Map<string, string>();
const problems: string[] = [];

for (const file of sourceFiles()) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const reads = file.startsWith(SENTENCES) ? 'sentence' : 'msg';
      if (node.expression.text === reads && file !== SERVER_WORDS) readMessage(node, placeOf(source, node));
    }
    for (const words of file === PAGES ? [] : untranslated(node))
      problems.push(`${placeOf(source, node)}: put "${words}" into msg().`);
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

function placeOf(source: ts.SourceFile, node: ts.Node): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Returns the words of a template or of a label that no `msg()` reads. */
function untranslated(node: ts.Node): readonly string[] {
  if (isTagged(node, 'html') && !isMessage(node.parent)) return shownWords(templateText(node));
  if (!ts.isPropertyAssignment(node) || !SHOWN_MEMBER.test(node.name.getText())) return [];
  const { initializer } = node;
  // Names of things begin with a small letter, words for visitors with a large one.
  if (!ts.isStringLiteralLike(initializer) || !/^\p{Lu}\p{Ll}/u.test(initializer.text)) return [];
  return SAME_IN_ALL_LANGUAGES.test(initializer.text) ? [] : [initializer.text];
}

/** Returns the text of a template, with U+FFFC for each value. */
function templateText(node: ts.TaggedTemplateExpression): string {
  const { template } = node;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('\uFFFC');
}

function shownWords(text: string): readonly string[] {
  const shown = text.replaceAll(/<(svg|code|kbd|style|pre)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, ' ');
  const attributes = [...shown.matchAll(SHOWN_ATTRIBUTE)].map(([, words = '']) => words);
  const texts = shown.split(/<[^>]*>|\uFFFC|<[^>]*$/);
  return [...attributes, ...texts]
    .map((each) => each.trim())
    .filter((each) => /\p{L}{2}/u.test(each) && !SAME_IN_ALL_LANGUAGES.test(each));
}

function isMessage(node: ts.Node): boolean {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'msg';
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

function isTagged(template: ts.Node | undefined, tag: string): template is ts.TaggedTemplateExpression {
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
