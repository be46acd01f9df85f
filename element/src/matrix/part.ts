import type { AnswerViewPart } from '../types.ts';
import { styles } from './styles.ts';
import { matrixView } from './view.ts';

export const view: AnswerViewPart['view'] = matrixView;

export { styles };
