import type { FormPart } from '../contract.ts';
import { styles } from './styles.ts';
import { matrixView } from './view.ts';

export const view: FormPart['view'] = matrixView;

export { styles };
