import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { axisNumber, clampToAxis } from '../clamp-to-axis.ts';
import type { FramePanel } from '../frame.ts';
import type { ReferencesPart } from '../references.ts';
import type { OptionFragment } from '../tooltip.ts';
import { findFreeSides } from './free-side.ts';

use([MarkLineComponent, MarkAreaComponent]);

/** Returns the values that the axis has to contain for the references. */
export const values: ReferencesPart['values'] = ({ settings }, panel) => {
  return (settings.references ?? []).flatMap(({ type, value, from, to }) => {
    switch (type) {
      case 'target':
        return value === undefined ? [] : [clampToAxis(value)];
      case 'average':
        return meanOf(panel) ?? [];
      case 'band':
        return [from, to].flatMap((each) => (each === undefined ? [] : [clampToAxis(each)]));
      default:
        return [];
    }
  });
};

function meanOf({ series: [first] }: FramePanel): number | undefined {
  const numbers = (first?.cells ?? []).flatMap((cell) => axisNumber(cell) ?? []);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Draws targets, means, bands and events over the first series of a panel. */
export const marks: ReferencesPart['marks'] = (
  { settings, formats, answer },
  { points, roles },
  panel,
  isLying,
  theme,
  size,
) => {
  const { references = [] } = settings;
  const sides = findFreeSides(panel, size, theme);
  const [valueKey, categoryKey] = isLying ? ['xAxis', 'yAxis'] : ['yAxis', 'xAxis'];
  const label = (text: string, position: string) => ({
    show: text !== '',
    formatter: text.replaceAll('{', '{\u2060'),
    position,
    color: theme.text,
    fontSize: theme.fontSize - 1,
    // Lines behind the words stay apart from the letters.
    textBorderColor: theme.surface,
    textBorderWidth: 3,
  });
  const line = { lineStyle: { color: theme.text, type: [6, 4], width: 1.25 }, symbol: 'none' };
  const lines = references.flatMap(({ type, value, at, label: words }): readonly OptionFragment[] => {
    if (type === 'event') {
      const place = placeOf(at ?? '');
      return place === undefined ? [] : [{ [categoryKey]: place, label: label(words ?? at ?? '', 'end'), ...line }];
    }
    const height = type === 'average' ? meanOf(panel) : type === 'target' ? value : undefined;
    if (height === undefined) return [];
    const written = formats.number(height, { notation: 'compact', maximumFractionDigits: 2 });
    const text = `${words ?? formats.say(type === 'average' ? 'Average' : 'Target')} ${written}`;
    return [
      { [valueKey]: clampToAxis(height), label: label(text, isLying ? 'end' : sides.ofLine(height, text)), ...line },
    ];
  });
  const bands = references.flatMap(({ type, from, to, label: words }) =>
    type === 'band' && from !== undefined && to !== undefined
      ? [
          [
            {
              [valueKey]: clampToAxis(from),
              label: label(words ?? '', isLying ? 'insideTopLeft' : sides.ofBand(from, to, words ?? '')),
            },
            { [valueKey]: clampToAxis(to) },
          ],
        ]
      : [],
  );
  return {
    markLine: { silent: true, animation: false, symbol: 'none', data: lines },
    markArea: { silent: true, animation: false, itemStyle: { color: theme.muted, opacity: 0.14 }, data: bands },
  };

  /** Finds a category by its label or its value; a date also between two points of an axis of time. */
  function placeOf(at: string): number | string | undefined {
    const index = points.rows.findIndex(
      (row, position) =>
        points.labels[position] === at ||
        (roles.series === undefined && answer.rows[row]?.[roles.category ?? -1]?.exact === at),
    );
    const time = Date.parse(`${at.slice(0, 10)}T00:00Z`);
    if (points.times !== undefined && !isLying) {
      if (index >= 0) return points.times[index];
      return Number.isNaN(time) ? undefined : time;
    }
    return index < 0 ? undefined : index;
  }
};
