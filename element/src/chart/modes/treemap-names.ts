import { MEAN_CHARACTER_WIDTH } from '../legend.ts';
import { fitName } from './fit-name.ts';
import type { EChartsInstaller } from './installer.ts';

/** Gap between a name and the edges of its rectangle, in CSS pixels. */
const PADDING = 3;

/** The names that fit into the rectangles of treemaps, by the data of their nodes. */
const names = new WeakMap<object, string | undefined>();

/** Fits the names of treemaps after each of their layouts, which also follow a click that opens a group. */
export const fitTreemapNames: EChartsInstaller = (registers) => {
  registers.registerLayout((model) => {
    model.eachSeriesByType('treemap', (series) => {
      const data = series.getData();
      const { label }: { readonly label?: { readonly fontSize?: number; readonly lineHeight?: number } } = Object(
        series.option,
      );
      const { fontSize = 12, lineHeight = 13 } = label ?? {};
      for (let index = 0; index < data.count(); index++) {
        const node: unknown = data.getRawDataItem(index);
        const { width, height }: { readonly width?: number; readonly height?: number } = Object(
          data.getItemLayout(index),
        );
        if (typeof node !== 'object' || node === null || width === undefined || height === undefined) continue;
        const fits = (lines: readonly string[]): boolean =>
          lines.every((line) => line.length * fontSize * MEAN_CHARACTER_WIDTH * 1.12 + 2 * PADDING <= width) &&
          lines.length * lineHeight + 2 * PADDING <= height;
        names.set(node, fitName(data.getName(index), fits));
      }
    });
  });
};

/** Returns the name that fits into the rectangle of a node; undefined where none does. */
export function treemapName(hit: unknown): string | undefined {
  const { data }: { readonly data?: unknown } = Object(hit);
  return typeof data === 'object' && data !== null ? names.get(data)?.replaceAll('{', '{\u2060') : undefined;
}
