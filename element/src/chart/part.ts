import type { FormPart } from '../contract.ts';
import { styles } from './styles.ts';
import { disconnected, rendered } from './surfaces.ts';
import { chartView } from './view.ts';

export const view: FormPart['view'] = chartView;

export { disconnected, rendered, styles };
