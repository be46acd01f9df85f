import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { axisNumber, clampToAxis } from '../clamp-to-axis.ts';
import type { Frame, FramePanel } from '../frame.ts';
import type { ReferencesPart } from '../references.ts';
import type { ChartSize, ChartSpec } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';
import { EVENT_ROW_HEIGHT, type EventWords, stackEvents } from './event-rows.ts';
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
export const marks: ReferencesPart['marks'] = (spec, frame, panel, { isLying, isTimeAxis, height }, theme, size) => {
  const { settings, formats } = spec;
  const { references = [] } = settings;
  const words = isLying ? [] : eventWords(spec, frame, isTimeAxis, theme, { ...size, height });
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
  const lines = references.flatMap(({ type, value, at, label: text }, index): readonly OptionFragment[] => {
    if (type === 'event') {
      const place = placeOf(spec, frame, isTimeAxis, at ?? '');
      const above = words.find((each) => each.index === index);
      return place === undefined
        ? []
        : [{ [categoryKey]: place, label: { ...label(text ?? at ?? '', 'end'), ...placeAbove(above) }, ...line }];
    }
    const level = type === 'average' ? meanOf(panel) : type === 'target' ? value : undefined;
    if (level === undefined) return [];
    const written = formats.number(level, { notation: 'compact', maximumFractionDigits: 2 });
    const named = `${text ?? formats.say(type === 'average' ? 'Average' : 'Target')} ${written}`;
    return [
      { [valueKey]: clampToAxis(level), label: label(named, isLying ? 'end' : sides.ofLine(level, named)), ...line },
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
};

export const rows: ReferencesPart['rows'] = (spec, frame, isTimeAxis, theme, size) => {
  const words = eventWords(spec, frame, isTimeAxis, theme, size);
  const count = words.reduce((most, { row }) => Math.max(most, row + 1), 0);
  return { height: count * EVENT_ROW_HEIGHT, start: Math.min(...words.map(({ start }) => start)) };
};

interface Event extends EventWords {
  /** Place among the references. */
  readonly index: number;
}

/** Places the words of the events that are on the axis above their lines. */
function eventWords(
  spec: ChartSpec,
  frame: Frame,
  isTimeAxis: boolean,
  theme: ChartTheme,
  size: ChartSize,
): readonly Event[] {
  const { references = [] } = spec.settings;
  const { points } = frame;
  const first = points.times?.[0] ?? 0;
  const span = (points.times?.at(-1) ?? 0) - first;
  const events = references.flatMap(({ type, at = '', label }, index) => {
    const place = type === 'event' ? placeOf(spec, frame, isTimeAxis, at) : undefined;
    if (place === undefined) return [];
    const share = !isTimeAxis ? (place + 0.5) / points.rows.length : span === 0 ? 0.5 : (place - first) / span;
    return share < 0 || share > 1 ? [] : [{ index, words: label ?? at, share }];
  });
  return stackEvents(events, size, theme).map((words, at) => ({ ...words, index: events[at]?.index ?? -1 }));
}

/** Describes the place of words above the line of an event; nothing for bars that lie, whose events have words beside them. */
function placeAbove(words: EventWords | undefined): OptionFragment {
  return words === undefined
    ? {}
    : {
        distance: [0, 5 + words.row * EVENT_ROW_HEIGHT],
        align: words.align,
        width: words.maxWidth,
        overflow: 'truncate',
      };
}

/**
 * Finds a category by its label or its value. A date between two points is between them on an axis of time, and in the
 * period that contains it on any other axis.
 */
function placeOf(
  { answer }: Pick<ChartSpec, 'answer'>,
  { points, roles, isCrossed }: Frame,
  isTimeAxis: boolean,
  at: string,
): number | undefined {
  const { times } = points;
  const index = points.rows.findIndex(
    (row, position) =>
      points.labels[position] === at || (!isCrossed && answer.rows[row]?.[roles.category ?? -1]?.exact === at),
  );
  if (index >= 0) return isTimeAxis ? times?.[index] : index;
  const time = Date.parse(`${at.slice(0, 10)}T00:00Z`);
  if (times === undefined || Number.isNaN(time)) return undefined;
  if (isTimeAxis) return time;
  const before = times.filter((each) => each <= time).length - 1;
  return before < 0 ? undefined : before;
}
