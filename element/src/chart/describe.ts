import { isTime } from '../api/columns.ts';
import { memberKey } from '../api/member-key.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { Roles } from './choose-series.ts';
import { cellText } from './labels.ts';
import { listMembers, pickRows } from './members.ts';
import { locatePoints } from './points.ts';

/** The words of a description in one language. */
interface Words {
  /** "Net sales *by* month". */
  readonly by: string;
  readonly and: string;
  /** Before the first period; often empty. */
  readonly since: string;
  readonly until: string;
  /** "*from* 1 *to* 2, *highest* May". */
  readonly from: string;
  readonly to: string;
  readonly highest: string;
  readonly empty: string;
  readonly table: string;
}

/** Reads words in the order of `Words`. */
function readWords(text: string): Words {
  const [by = '', and = '', since = '', until = '', from = '', to = '', highest = '', empty = '', table = ''] =
    text.split('|');
  return { by, and, since, until, from, to, highest, empty, table };
}

/** The English words, in the order of `Words`. */
const WORDS = 'by|and||to|from|to|highest|no values|The values follow as a table.';

/**
 * Describes a chart for screen readers, in the language of the page: "Net sales by Month, Jan 2023 to Dec 2025: from 1.5 to
 * 3.4 million, highest Dec 2025. …". Figures are the server's texts. A language without words here has the English ones.
 */
export function describeChart(answer: Answer, roles: Roles, formats: Formats): string {
  const words = readWords(formats.say(WORDS));
  const label = (position: number | undefined) => answer.columns[position ?? -1]?.label ?? '';
  const join = (names: readonly string[]) => names.join(` ${words.and} `);
  const dimensions = [roles.category, roles.series, roles.facet, ...roles.rest].filter((each) => each !== undefined);
  const metrics = roles.metrics.map(label);
  const metric = metrics.length > 3 ? metrics.join(', ') : join(metrics);
  const about = dimensions.length === 0 ? metric : `${metric} ${words.by} ${join(dimensions.map(label))}`;
  const period = periodText(answer, roles, words, formats);
  return `${about}${period === '' ? '' : `, ${period}`}: ${rangeText(answer, roles, words, formats)}. ${words.table}`;
}

function periodText(answer: Answer, { category }: Roles, words: Words, formats: Formats): string {
  const column = answer.columns[category ?? -1];
  if (category === undefined || column === undefined || !isTime(column) || answer.rows.length < 2) return '';
  const rows = pickRows(answer, [...listMembers(answer, category).values()]);
  const { labels } = locatePoints({ ...answer, rows }, category, [], formats);
  const [first = '', last = ''] = [labels[0], labels.at(-1)];
  return first === last ? first : `${words.since} ${first} ${words.until} ${last}`.trim();
}

function rangeText(answer: Answer, roles: Roles, words: Words, formats: Formats): string {
  const { category, series, facet, metrics, rest } = roles;
  const [metric = -1] = metrics;
  const cells = answer.rows.flatMap((row, index) => {
    const cell = row[metric];
    return cell?.number === undefined ? [] : [{ index, number: cell.number, text: cellText(cell) }];
  });
  const [first] = cells;
  if (first === undefined) return words.empty;
  const low = cells.reduce((least, cell) => (cell.number < least.number ? cell : least), first);
  const high = cells.reduce((most, cell) => (cell.number > most.number ? cell : most), first);
  const place = [series, facet, ...rest].flatMap((position) =>
    position === undefined ? [] : [cellText(answer.rows[high.index]?.[position], answer.columns[position], formats)],
  );
  const where = [categoryText(answer, category, high.index, formats), ...place]
    .filter((each) => each !== '')
    .join(', ');
  return cells.length === 1
    ? [high.text, where].filter((each) => each !== '').join(', ')
    : `${words.from} ${low.text} ${words.to} ${high.text}, ${words.highest} ${where}`;
}

/** Writes the category of a row like the label of the axis. */
function categoryText(answer: Answer, category: number | undefined, row: number, formats: Formats): string {
  if (category === undefined) return '';
  const members = listMembers(answer, category);
  const first = members.get(memberKey(answer.rows[row]?.[category]));
  const places = [...members.values()];
  const { labels, rows } = locatePoints({ ...answer, rows: pickRows(answer, places) }, category, [], formats);
  return labels[rows.indexOf(places.indexOf(first ?? -1))] ?? '';
}
