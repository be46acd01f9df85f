import { MapChart, ScatterChart } from 'echarts/charts';
import { GeoComponent } from 'echarts/components';
import { registerMap, use } from 'echarts/core';
import { isRecord } from '../../api/json.ts';
import { labelWidth } from '../axes.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendLines, legendStyle, MAX_LEGEND_TEXT_WIDTH } from '../legend.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';
import { rowPoint } from './data.ts';
import type { KindPart } from './definition.ts';
import { classify } from './heat-classes.ts';
import { pointTooltip } from './item-tooltip.ts';
import { placeNames, type Side } from './place-names.ts';

use([MapChart, ScatterChart, GeoComponent]);

export const plans: KindPart['plans'] = { map: planMap };

/** Points that have their names beside them. */
const MAX_NAMED_POINTS = 20;
/** Room of the labels of latitude and longitude, in CSS pixels. */
const AXIS_LABELS = { left: 44, bottom: 26 };

/** Plans regions coloured by the first metric, or points at latitudes and longitudes. */
function planMap(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const position = (key: string | undefined) => answer.columns.findIndex((column) => column.key === key);
  const [latitude, longitude] = [position(settings.latitude), position(settings.longitude)];
  const isOfPoints = latitude >= 0 && longitude >= 0;
  const roles = chooseRoles(answer, settings);
  const metric = roles.metrics.find((each) => each !== latitude && each !== longitude) ?? -1;
  const places = answer.columns.findIndex(
    ({ type }, index) => type === 'dimension' && index !== latitude && index !== longitude,
  );
  const category = position(settings.category) >= 0 ? position(settings.category) : places;
  const rows = answer.rows.map((_, index) => index);
  const values = rows.map((row) => axisNumber(answer.rows[row]?.[metric]));
  const { classes, isDiverging } = classify(values.flatMap((value) => value ?? []));
  const classOf = (value: number | undefined) =>
    value === undefined
      ? -1
      : Math.max(
          0,
          classes.findIndex(
            ({ from, to }, index) => value >= from && (index === classes.length - 1 ? value <= to : value < to),
          ),
        );
  const write = axisFormatter(answer, [metric], formats);
  const names = classes.map(({ from, to }) => (from === to ? write(from) : `${write(from)} – ${write(to)}`));
  const known = settings.regions === undefined ? undefined : regionNames(settings.regions, settings.join ?? 'name');
  const nameOf = (row: number) => answer.rows[row]?.[category]?.text ?? '';
  const missing = isOfPoints || known === undefined ? [] : rows.filter((row) => !known.has(nameOf(row))).map(nameOf);
  const series = isOfPoints ? 0 : names.length;
  const points = rows.map((row, data) => rowPoint(spec, series, data, row, [metric]));
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const sizeOf = (row: number) => Math.max(6, 34 * Math.sqrt(Math.abs(values[row] ?? 0) / (largest || 1)));
  /** Chooses the side of each name. Only without regions is it known where ECharts draws a point. */
  const namePoints = (size: ChartSize, theme: ChartTheme): readonly (Side | undefined)[] => {
    if (rows.length > MAX_NAMED_POINTS) return [];
    const sides = theme.isRtl
      ? (['left', 'right', 'top', 'bottom'] as const)
      : (['right', 'left', 'top', 'bottom'] as const);
    if (settings.regions !== undefined) return rows.map(() => sides[0]);
    const [[west, east], [south, north]] = equalDegrees(spec, longitude, latitude, size);
    const inner = {
      width: size.width - 16 - AXIS_LABELS.left,
      height: size.height - 14 - AXIS_LABELS.bottom,
    };
    return placeNames(
      rows.map((row) => ({
        // Names stay right of the labels of the axis.
        x: (((axisNumber(answer.rows[row]?.[longitude]) ?? west) - west) / (east - west)) * inner.width,
        y: 14 + ((north - (axisNumber(answer.rows[row]?.[latitude]) ?? north)) / (north - south)) * inner.height,
        radius: sizeOf(row) / 2,
        width: labelWidth([nameOf(row)], theme),
      })),
      theme.fontSize + 2,
      { width: inner.width + 16, height: inner.height + 14 },
      sides,
    );
  };
  return planOfPoints(
    points,
    (theme, size) => {
      const scale = isDiverging ? theme.diverging : theme.sequential;
      const colourOf = (value: number | undefined) =>
        scale[classes[classOf(value)]?.colour ?? 0] ?? paletteColour(theme, 0);
      const lines = isOfPoints ? 0 : legendLines(names, size.width, theme);
      const frame = { top: 8 + Math.min(lines, 2) * LEGEND_LINE_HEIGHT, bottom: 8, left: 8, right: 8 };
      const sides = isOfPoints ? namePoints(size, theme) : [];
      const shape = {
        itemStyle: { areaColor: theme.grid, borderColor: theme.surface, borderWidth: 0.75 },
        label: { show: false },
      };
      return {
        legend:
          lines === 0
            ? { show: false }
            : {
                ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
                type: lines <= 2 ? 'plain' : 'scroll',
                data: names,
                top: 2,
                left: theme.isRtl ? 'right' : 0,
                selectedMode: false,
              },
        tooltip: pointTooltip(theme, points),
        ...(isOfPoints ? pointsOption(theme, frame) : {}),
        series: isOfPoints
          ? [
              {
                id: '0',
                type: 'scatter',
                ...(settings.regions === undefined ? {} : { coordinateSystem: 'geo' }),
                itemStyle: { color: paletteColour(theme, 0), opacity: 0.8, borderColor: theme.surface, borderWidth: 1 },
                data: rows.map((row) => ({
                  value: [
                    axisNumber(answer.rows[row]?.[longitude]) ?? null,
                    axisNumber(answer.rows[row]?.[latitude]) ?? null,
                    values[row] ?? null,
                  ],
                  label: {
                    show: sides[row] !== undefined,
                    position: sides[row],
                    color: theme.text,
                    fontSize: theme.fontSize - 1,
                    formatter: nameOf(row).replaceAll('{', '{\u2060'),
                  },
                  symbolSize: sizeOf(row),
                  itemStyle: { opacity: 0.8 * pointOpacity(spec, row) },
                })),
              },
            ]
          : [
              // Series without data: a class of colour is an entry of the legend.
              ...names.map((name, index) => ({
                id: String(index),
                type: 'scatter',
                coordinateSystem: 'none',
                name,
                color: scale[classes[index]?.colour ?? 0],
                data: [],
              })),
              {
                id: String(series),
                type: 'map',
                map: settings.regions,
                nameProperty: settings.join ?? 'name',
                ...frame,
                roam: false,
                selectedMode: false,
                ...shape,
                emphasis: { label: { show: false }, itemStyle: { borderColor: theme.text, borderWidth: 1.5 } },
                data: rows.map((row) => ({
                  name: nameOf(row),
                  value: values[row] ?? null,
                  itemStyle: {
                    areaColor: values[row] === undefined ? theme.grid : colourOf(values[row]),
                    opacity: pointOpacity(spec, row),
                  },
                  emphasis: {
                    itemStyle: { areaColor: values[row] === undefined ? theme.grid : colourOf(values[row]) },
                  },
                })),
              },
            ],
      };

      function pointsOption(of: ChartTheme, margins: OptionFragment): OptionFragment {
        if (settings.regions !== undefined)
          return { geo: { map: settings.regions, silent: true, roam: false, ...margins, ...shape } };
        const degrees = (suffixes: readonly [string, string]) => (value: number) =>
          `${formats.number(Math.abs(value))}° ${value < 0 ? suffixes[1] : suffixes[0]}`;
        const [wide, high] = equalDegrees(spec, longitude, latitude, size);
        const axis = (suffixes: readonly [string, string], [min, max]: readonly [number, number]) => ({
          type: 'value',
          min,
          max,
          axisLine: { show: false },
          axisTick: { show: false },
          axisLabel: {
            color: of.muted,
            fontSize: of.fontSize,
            formatter: degrees(suffixes),
            hideOverlap: true,
            showMinLabel: false,
            showMaxLabel: false,
          },
          splitLine: { lineStyle: { color: of.grid } },
        });
        return {
          grid: { left: 4, right: 16, top: 14, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
          xAxis: axis(['E', 'W'], wide),
          yAxis: axis(['N', 'S'], high),
        };
      }
    },
    missing.length > 0
      ? [
          formats.say(
            missing.length > 3 ? 'Not on the map: {0} and {1} more' : 'Not on the map: {0}',
            missing.slice(0, 3).join(', '),
            missing.length - 3,
          ),
        ]
      : [],
  );
}

/** Returns the longitudes and latitudes of a chart in which a kilometre is as long in both directions at its middle. */
function equalDegrees(
  { answer }: ChartSpec,
  longitude: number,
  latitude: number,
  { width, height }: ChartSize,
): readonly [readonly [number, number], readonly [number, number]] {
  const range = (position: number): readonly [number, number] => {
    const numbers = answer.rows.flatMap((row) => axisNumber(row[position]) ?? []);
    const [first = 0] = numbers;
    return [numbers.reduce((a, b) => Math.min(a, b), first), numbers.reduce((a, b) => Math.max(a, b), first)];
  };
  const [[west, east], [south, north]] = [range(longitude), range(latitude)];
  const middle = [(west + east) / 2, (south + north) / 2] as const;
  const shrink = Math.max(0.1, Math.cos((middle[1] * Math.PI) / 180));
  const room = { width: Math.max(60, width - 70), height: Math.max(60, height - 50) };
  // Points at the edges have room for their circles and names.
  const inner = { width: room.width - 2 * Math.min(66, room.width * 0.25), height: room.height * 0.8 };
  const perPixel = Math.max(((east - west) * shrink) / inner.width, (north - south) / inner.height, 0.0006);
  const spread = (centre: number, half: number): readonly [number, number] => [centre - half, centre + half];
  return [spread(middle[0], (perPixel * room.width) / shrink / 2), spread(middle[1], (perPixel * room.height) / 2)];
}

const names = new Map<string, readonly Readonly<Record<string, unknown>>[]>();

/**
 * Adds a map of the installation.
 * @throws TypeError where the JSON is no GeoJSON collection of features
 */
export function addMap(name: string, json: unknown): void {
  if (!isRecord(json) || json.type !== 'FeatureCollection' || !Array.isArray(json.features))
    throw new TypeError('A map has to be a GeoJSON FeatureCollection.');
  names.set(
    name,
    json.features.map((feature: unknown) =>
      isRecord(feature) && isRecord(feature.properties) ? feature.properties : {},
    ),
  );
  registerMap(name, JSON.stringify(json));
}

function regionNames(map: string, property: string): ReadonlySet<string> {
  return new Set((names.get(map) ?? []).map((properties) => String(properties[property] ?? '')));
}
