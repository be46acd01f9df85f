/** Texts in Markdown on paper. */
import type { Content } from 'pdfmake/interfaces';
import { type Block, type Inline, parseMarkdown } from '../src/markdown/parse-markdown.ts';
import { FAINT, LINE, MUTED } from './theme.ts';

const HEADING_SIZES = [14, 12, 11];

/** Returns a text's blocks as contents of a page. */
export function markdownContents(text: string): Content[] {
  return parseMarkdown(text).map(blockOf);
}

function blockOf(block: Block): Content {
  const margin: [number, number, number, number] = [0, 0, 0, 4];
  switch (block.kind) {
    case 'heading':
      return { text: block.content.map(inlineOf), bold: true, fontSize: HEADING_SIZES[block.level - 1] ?? 10, margin };
    case 'paragraph':
      return { text: block.content.map(inlineOf), margin };
    case 'code':
      return { text: block.text, background: FAINT, preserveLeadingSpaces: true, margin };
    case 'quote':
      return { stack: block.blocks.map(blockOf), color: MUTED, margin: [10, 0, 0, 4] };
    case 'list': {
      const items = block.items.map((item): Content => ({ stack: item.map(blockOf) }));
      return block.isOrdered ? { ol: items, margin } : { ul: items, margin };
    }
    case 'rule':
      return { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 120, y2: 0, lineColor: LINE, lineWidth: 0.5 }], margin };
  }
}

function inlineOf(inline: Inline): Content {
  switch (inline.kind) {
    case 'text':
      return { text: inline.text };
    case 'code':
      return { text: inline.text, background: FAINT };
    case 'strong':
      return { text: inline.content.map(inlineOf), bold: true };
    case 'em':
      return { text: inline.content.map(inlineOf), italics: true };
    case 'link':
      return { text: inline.content.map(inlineOf), link: inline.address, decoration: 'underline' };
  }
}
