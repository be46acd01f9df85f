import type { GridPart } from '../types.ts';
import { GridControls } from './controls.ts';
import { styles } from './styles.ts';

export const controls: GridPart['controls'] = (panel, host) => new GridControls(panel, host);

export { styles };
