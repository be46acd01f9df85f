/**
 * Writes `docs/reference/charts.md` from the table of chart settings and the needs of each mode.
 *
 *   npx tsx scripts/charts-doc.ts           writes it
 *   npx tsx scripts/charts-doc.ts --check   fails when it is out of date
 */
import { MODE_NEEDS } from '../element/src/chart/modes/can-draw.ts';
import { CHART_MODES, type ChartMode } from '../router/chart-modes.ts';
import { CHART_SETTINGS, type Setting, type SettingTable } from '../router/chart-settings.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/charts.md';

/** What each mode draws, and the size of its own file in KB after gzip; a mode without a size is in the file of all charts. */
const MODES: Readonly<Record<ChartMode, readonly [draws: string, kilobytes?: number]>> = {
  bar: ['bars; they lie where labels are long'],
  line: ['lines; a last period that is not complete is dashed'],
  pie: ['parts of the first metric; with two dimensions one pie for each member', 6],
  'stacked-bar': ['bars on top of each other'],
  area: ['filled lines; members are stacked'],
  scatter: ['the first metric across, the second up', 2],
  combo: ['the first metric as bars, the others as lines'],
  histogram: ['how many rows have a value in each range', 1],
  boxplot: ['minimum, quartiles and maximum: five metrics, or the values over the second dimension', 3],
  heatmap: ['a coloured cell for each pair of members', 6],
  calendar: ['a coloured cell for each day', 6],
  treemap: ['nested rectangles; the dimensions are levels', 15],
  sunburst: ['nested rings; the dimensions are levels; a click opens one', 15],
  funnel: ['stages from the largest to the smallest', 4],
  waterfall: ['bars that each begin where the one before ends; `totals` begin at zero', 2],
  sankey: ['flows between the members of neighbouring dimensions', 7],
  radar: ['polygons over spokes: the categories, or three and more metrics', 5],
  gauge: ['a dial with `target` and `bands`', 5],
  bullet: ['a bar with its target and `bands` for each row', 1],
  candlestick: ['opening, closing, lowest and highest value: four metrics by these names, or in this order', 4],
  bubble: ['points whose area is the third metric', 2],
  map: ['`regions` of a map of the installation, or points at `latitude` and `longitude`', 16],
};

const modeRows = CHART_MODES.map((mode) => {
  const [draws, kilobytes] = MODES[mode];
  const { needs } = MODE_NEEDS[mode];
  const range = ([least, most]: readonly [number, number]) =>
    Number.isFinite(most) ? (least === most ? String(least) : `${least} to ${most}`) : `${least} or more`;
  const dimensions = needs.dimensions === undefined ? 'any' : range(needs.dimensions);
  return `| \`${mode}\` | ${draws} | ${dimensions}${needs.date ? ', a date' : ''} | ${range(needs.metrics ?? [1, Number.POSITIVE_INFINITY])} | ${kilobytes ?? ''} |`;
});

function rowsOf(table: SettingTable, prefix = ''): readonly string[] {
  return Object.entries(table).flatMap(([name, setting]) => {
    const place = `${prefix}${name}`;
    const inner = innerOf(setting, place);
    return [`| \`${place}\` | ${valuesOf(setting)} | ${setting.description} |`, ...inner];
  });
}

function innerOf(setting: Setting, place: string): readonly string[] {
  switch (setting.type) {
    case 'group':
      return rowsOf(setting.members, `${place}.`);
    case 'list':
      return setting.of.type === 'group' ? rowsOf(setting.of.members, `${place}[].`) : [];
    case 'map':
      return setting.of.type === 'group' ? rowsOf(setting.of.members, `${place}.….`) : [];
    default:
      return [];
  }
}

function valuesOf(setting: Setting): string {
  switch (setting.type) {
    case 'choice':
      return setting.values.length > 8 ? '`auto` or a mode' : setting.values.map((value) => `\`${value}\``).join(', ');
    case 'boolean':
      return '`true`, `false`';
    case 'number': {
      const { min, max, isInteger } = setting;
      const kind = isInteger ? 'whole number' : 'number';
      return min === undefined || max === undefined ? kind : `${kind}, ${min} to ${max}`;
    }
    case 'text':
      return 'text';
    case 'column':
      return 'key of a column';
    case 'colour':
      return '`#rrggbb`';
    case 'list':
      return `list, at most ${setting.maxItems}`;
    case 'map':
      return `object, at most ${setting.maxItems} names`;
    case 'group':
      return 'object';
  }
}

const text = `# Charts

<!-- Written by \`npx tsx scripts/charts-doc.ts\`; change that file or router/chart-settings.ts instead. -->

## Modes

The mode is the attribute \`mode\` of [the element](embed-element.md) or the member \`chartType\` of a [tile](documents.md). Without either, \`chart.kind\`
decides; without that, the mode is \`bar\`. An answer that does not fit its mode is drawn as another chart or as a matrix, with the reason below it.
The event \`service-render\` names what was drawn.

| Mode | Draws | Dimensions | Metrics | KB |
|---|---|---|---|---|
${modeRows.join('\n')}

KB is the size of the file that a page loads for this mode, after gzip, besides the 205 KB of the element with lines and bars. All these modes share a
file of 4 KB; \`treemap\`, \`sunburst\`, \`sankey\` and \`map\` another of 6 KB; \`heatmap\`, \`calendar\`, \`scatter\`, \`bubble\` and \`map\` one of 2 KB;
\`references\` are a file of 9 KB, the checks of settings one of 3 KB, and the words of all languages but English one of 4 KB.

The words of a chart (its description for screen readers, its notes, its tooltips) are in the language of the attribute \`locale\`, else of the page's
\`lang\`: English, German, French or Spanish; in Italian, Portuguese and Dutch the description only. Numbers are short in the same notation: 2 Mio., 1,5 Md, 2B.

A page with many charts draws one in each task, the first at once, so it stays responsive meanwhile. \`service-render\` of a chart follows its drawing.

\`kind: auto\` draws a line chart over dates, bars over up to one other dimension, points for more than 40 members with two metrics, a heat map of two
dimensions with more than 12 categories, and stacked bars of fewer.

## Series

| Dimensions of the answer | Drawn as |
|---|---|
| one | the dimension is the category, each metric a series |
| two | the members of one are series: the one that \`series\` names, else the one in \`columns\` of the request, else the one with fewer members beside the date |
| two, and several metrics | the same, with a small chart for each metric |
| three | the third has a small chart for each member, on one scale |
| more | a matrix |

The 12 largest members are drawn (\`top\`). Where the metric is a sum or a count, the server computes the others as one more series; otherwise a note says
that they are left out. Two hundred members and more are refused unless \`top\` is set. A missing combination is a gap in a line, nothing in bars and zero in
a stack. A member has the same colour in all tiles of a dashboard. A line of more than 10,000 points is drawn
with fewer: its outline, its lowest and highest values, and its gaps stay. Of small charts with very many points in all, the largest are drawn.

A name of a legend hides its series and shows it again, and a refresh keeps the choice. The keyboard reaches the names as buttons, also those of other
pages of a long legend. An axis of one metric has its name as the title, unless \`axes\` gives another. Names in treemaps and sunbursts are whole, on several lines,
cut where most of a name stays, or left to the tooltip. Where a system forces its colours, bars, areas and slices also have patterns, a file of 1 KB.

## Settings

The settings are one object, \`chart\`: an attribute (as JSON) or a property of the element, a member of a tile, and a member of a saved query. A tile's
settings replace the saved query's, and the element's replace both, each by its name. Documents with an unknown setting are refused with the legal ones.
The element draws the chart without it, and lists it in \`detail.problems\` of \`service-render\`: \`place\`, \`message\`, \`available\`.
The same happens to a setting that the values do not allow, such as a logarithmic axis of zero, an event at an unknown category, or bands that do not ascend.
\`table\` formats tables. \`target\`, \`targetColumn\` and \`change\` also format numbers. A page loads 4 KB for them.

\`\`\`html
<service-embed server="https://analytics.example.com" path="shared/demo/sales-by-region.service" render="chart" mode="bar"
               chart='{"orientation":"horizontal","references":[{"type":"target","value":5000000,"label":"Plan"}]}'></service-embed>
\`\`\`

| Setting | Values | Meaning |
|---|---|---|
${rowsOf(CHART_SETTINGS).join('\n')}

## Maps

A map is a GeoJSON \`FeatureCollection\` in \`<home>/maps/<name>.json\`, in degrees. \`regions\` names it, and \`join\` is the property of its regions that equals
the category. Everybody who can reach the service can read its maps. No tiles are loaded from anywhere.
`;

writeOrCheck(FILE, text, 'npx tsx scripts/charts-doc.ts');
