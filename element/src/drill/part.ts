import type { DrillPart } from '../types.ts';
import { EmbedDrills } from './drills.ts';
import { styles } from './styles.ts';

export const createDrills: DrillPart['createDrills'] = (options) => new EmbedDrills(options);

export { styles };
