import { html } from 'lit';
import type { MarkdownPart } from '../types.ts';
import { markdownStyles as styles } from './markdown-styles.ts';
import { markdownView } from './markdown-view.ts';

export const view: MarkdownPart['view'] = (text, level) =>
  html`<div class="text markdown" part="text">${markdownView(text, level)}</div>`;

export { styles };
