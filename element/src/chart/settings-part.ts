/** Checks the settings of charts, and writes what only charts with settings note. It is loaded when a chart has some. */
export { readChartSettings } from './check-settings.ts';
export { withoutImpossible } from './impossible-settings.ts';
export { ungroupedNote } from './ungrouped-note.ts';
