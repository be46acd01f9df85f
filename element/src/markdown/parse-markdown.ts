/**
 * Parses the part of Markdown that texts on dashboards need: headings, paragraphs, lists, quotes, code, rules, bold, italics and links. HTML stays
 * text. Linear in the length of the text.
 */

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly address: string; readonly content: readonly Inline[] };

export type Block =
  /** `level` counts from 1, the largest. */
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'rule' };

/** Lists and quotes inside each other, at most. What is deeper stays text. */
const MAX_DEPTH = 6;

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])[ \t]+/;

export function parseMarkdown(text: string): readonly Block[] {
  return parseBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0);
}

function parseBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', content: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };
  let at = 0;
  /** Takes the lines from here on that pass a test. */
  const take = (test: (line: string) => boolean): readonly string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? '')) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line);
    const item = ITEM.exec(line);
    if (line.trim() === '') {
      end();
      at++;
    } else if (/^ {0,3}```/.test(line)) {
      end();
      at++;
      const code = take((each) => !/^ {0,3}```/.test(each));
      at++;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (heading !== null) {
      end();
      at++;
      const content = parseInline((heading[2] ?? '').trim().replace(/[ \t]#+$/, ''));
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, content });
    } else if (/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line)) {
      end();
      at++;
      blocks.push({ kind: 'rule' });
    } else if (/^ {0,3}>/.test(line) && depth < MAX_DEPTH) {
      end();
      const quoted = take((each) => /^ {0,3}>/.test(each)).map((each) => each.replace(/^ {0,3}> ?/, ''));
      blocks.push({ kind: 'quote', blocks: parseBlocks(quoted, depth + 1) });
    } else if (item !== null && depth < MAX_DEPTH) {
      end();
      const isOrdered = /\d/.test(item[2] ?? '');
      const items: (readonly Block[])[] = [];
      for (let next: RegExpExecArray | null = item; next !== null; next = ITEM.exec(lines[at] ?? '')) {
        if (/\d/.test(next[2] ?? '') !== isOrdered) break;
        const [marker, indent = ''] = next;
        const first = (lines[at] ?? '').slice(marker.length);
        at++;
        // What is further to the right than the marker belongs to the item.
        const rest = take((each) => each.startsWith(`${indent}  `) && each.trim() !== '');
        items.push(parseBlocks([first, ...rest.map((each) => each.slice(indent.length + 2))], depth + 1));
      }
      blocks.push({ kind: 'list', isOrdered, items });
    } else {
      paragraph.push(line.trim());
      at++;
    }
  }
  end();
  return blocks;
}

/** An escape, code, a link, or a delimiter of bold or italics. Each repetition is bounded. */
const TOKEN =
  /\\([!-/:-@[-`{-~])|`([^`\n]{1,2000})`|\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000}|mailto:[^\s()]{1,500})\)|\*\*|\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu;

/** Bold and italics inside each other, at most. A bound of the work, too: what is given up moves to the group around it. */
const MAX_NESTED = 12;

interface Open {
  readonly delimiter: string;
  readonly content: Inline[];
}

function parseInline(text: string): readonly Inline[] {
  const open: Open[] = [{ delimiter: '', content: [] }];
  const add = (...content: readonly Inline[]) => open.at(-1)?.content.push(...content);
  const addText = (part: string) => part !== '' && add({ kind: 'text', text: part });
  /** Ends the innermost group without its other delimiter, which is text then. */
  const giveUp = () => {
    const group = open.pop();
    if (group === undefined) return;
    addText(group.delimiter);
    for (const each of group.content) add(each);
  };
  let last = 0;
  for (const token of text.matchAll(TOKEN)) {
    addText(text.slice(last, token.index));
    const [whole, escaped, code, label, address] = token;
    last = token.index + whole.length;
    if (escaped !== undefined) addText(escaped);
    else if (code !== undefined) add({ kind: 'code', text: code });
    else if (label !== undefined && address !== undefined) add({ kind: 'link', address, content: parseInline(label) });
    else {
      const begun = open.map(({ delimiter }) => delimiter).lastIndexOf(whole);
      const before = text[token.index - 1] ?? ' ';
      const after = text[last] ?? ' ';
      if (begun > 0 && /\S/.test(before)) {
        while (open.length - 1 > begun) giveUp();
        const group = open.pop();
        if (group !== undefined) add({ kind: whole === '**' ? 'strong' : 'em', content: group.content });
      } else if (/\S/.test(after) && open.length <= MAX_NESTED) open.push({ delimiter: whole, content: [] });
      else addText(whole);
    }
  }
  addText(text.slice(last));
  while (open.length > 1) giveUp();
  return open[0]?.content ?? [];
}
