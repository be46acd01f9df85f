import { html, type TemplateResult } from 'lit';
import { type Block, type Inline, parseMarkdown } from './parse-markdown.ts';

/**
 * Renders Markdown as text nodes and elements. HTML in it stays text.
 *
 * @param level the level of its largest headings in the outline of the page, 2 to 6
 */
export function markdownView(text: string, level: number): readonly TemplateResult[] {
  return parseMarkdown(text).map((block) => blockView(block, level));
}

function blockView(block: Block, level: number): TemplateResult {
  switch (block.kind) {
    case 'heading':
      return headingView(Math.min(6, level + block.level - 1), SIZES[block.level - 1] ?? '', inlineView(block.content));
    case 'paragraph':
      return html`<p>${inlineView(block.content)}</p>`;
    case 'code':
      return html`<pre><code>${block.text}</code></pre>`;
    case 'quote':
      return html`<blockquote>${block.blocks.map((each) => blockView(each, level))}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => html`<li>${itemView(item, level)}</li>`);
      return block.isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'rule':
      return html`<hr>`;
  }
}

/** Renders an item. Its first paragraph has no space of its own. */
function itemView([first, ...rest]: readonly Block[], level: number) {
  return [
    first?.kind === 'paragraph' ? inlineView(first.content) : first && blockView(first, level),
    ...rest.map((each) => blockView(each, level)),
  ];
}

/** Classes of the two largest headings; the outline's level differs by the page. */
const SIZES = ['first', 'second'];

function headingView(level: number, size: string, content: unknown): TemplateResult {
  switch (level) {
    case 2:
      return html`<h2 class=${size}>${content}</h2>`;
    case 3:
      return html`<h3 class=${size}>${content}</h3>`;
    case 4:
      return html`<h4 class=${size}>${content}</h4>`;
    case 5:
      return html`<h5 class=${size}>${content}</h5>`;
    default:
      return html`<h6 class=${size}>${content}</h6>`;
  }
}

function inlineView(content: readonly Inline[]): readonly (TemplateResult | string)[] {
  return content.map(partView);
}

function partView(part: Inline): TemplateResult | string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return html`<code>${part.text}</code>`;
    case 'strong':
      return html`<strong>${inlineView(part.content)}</strong>`;
    case 'em':
      return html`<em>${inlineView(part.content)}</em>`;
    case 'link':
      return html`<a href=${part.address} target="_blank" rel="noopener noreferrer">${inlineView(part.content)}</a>`;
  }
}
