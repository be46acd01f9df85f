import type { DashboardPart } from '../contract.ts';
import { ShownDashboard } from './shown-dashboard.ts';
import { styles } from './styles.ts';

export const shown: DashboardPart['shown'] = (options) => new ShownDashboard(options);

export { styles };
