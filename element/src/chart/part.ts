import type { AnswerViewPart } from '../types.ts';
import { styles } from './styles.ts';
import { afterRender, disconnected } from './surfaces.ts';
import { chartView } from './view.ts';

export const view: AnswerViewPart['view'] = chartView;

export { afterRender, disconnected, styles };
