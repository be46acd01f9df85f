import type { DashboardPart } from '../types.ts';
import { DashboardController } from './dashboard-controller.ts';
import { styles } from './styles.ts';

export const createController: DashboardPart['createController'] = (options) => new DashboardController(options);

export { styles };
