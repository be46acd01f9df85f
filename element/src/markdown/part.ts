import type { MarkdownPart } from '../types.ts';
import { markdownStyles as styles } from './markdown-styles.ts';
import { markdownView } from './markdown-view.ts';

export const view: MarkdownPart['view'] = markdownView;

export { styles };
