import { html } from 'lit';
import type { MarkdownPart } from '../types.ts';
import { markdownStyles as styles } from './markdown-styles.ts';
import { markdownView } from './markdown-view.ts';

// A text that is higher than its tile is scrolled by the keyboard, too.
export const view: MarkdownPart['view'] = (text, level) =>
  html`<div class="text markdown" part="text" tabindex="0">${markdownView(text, level)}</div>`;

export { styles };
