/** Shows one large number: its period, its change, its history and its target. */
export { styles } from './styles.ts';
export { kpiView as view } from './view.ts';
