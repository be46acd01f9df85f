/** Paints an answer for a reader outside of a page: as HTML that a chat shows in a frame, or as a PNG and a text. */
import { isRecord, readList, readRecord, readText } from '../src/api/json.ts';
import { type Answer, parseAnswer } from '../src/api/parse-answer.ts';
import { findChartMode } from '../src/chart-modes.ts';
import type { Formats } from '../src/formats.ts';
import { inNotation } from '../src/notation/part.ts';
import { type PaintedChart, paintChart } from '../src/ssr/chart.ts';
import { loadFormats } from '../src/ssr/load-formats.ts';
import type { MoreToRead } from '../src/ssr/more-reads.ts';
import { renderElement } from '../src/ssr/render-to-string.ts';
import { drawPng, PICTURE_SIZE, PICTURE_THEME } from './png.ts';
import { textOf } from './text.ts';

/** Marks that a page can ask about: each is a stop of the keyboard. */
const MAX_MARKS = 500;

interface Mark {
  readonly series: number;
  readonly data: number;
  readonly text: string;
}

/** A read of the same query with one more parameter. */
type MoreRead = Pick<MoreToRead, 'parameter' | 'value'>;

export type Painted =
  | { readonly more: readonly MoreRead[] }
  | { readonly html: string; readonly marks: readonly Mark[] }
  | { readonly png: Uint8Array | undefined; readonly text: string };

/**
 * Paints an answer, or asks for what it needs besides. The task is JSON; see `PictureTask` of the server. A task with `more` is painted in any
 * case.
 *
 * @throws UnexpectedAnswer where the answer is none
 */
export async function paint(json: unknown): Promise<Painted> {
  const given = readRecord(json);
  const task = { ...given, answer: chartOfItself(given) };
  const reads = new GivenReads(given.more);
  const painted = await (given.kind === 'markup' ? paintMarkup(task, reads) : paintFallback(task, reads));
  return given.more === undefined && reads.missing.length > 0 ? { more: reads.missing } : painted;
}

/** The further reads that a task brings, and the ones that it lacks. */
class GivenReads {
  readonly missing: MoreRead[] = [];
  readonly #given: ReadonlyMap<string, unknown>;

  constructor(more: unknown) {
    const reads = more === undefined ? [] : readList(more).map(readRecord);
    this.#given = new Map(
      reads.map(({ parameter, value, answer }) => [`${String(parameter)} ${String(value)}`, answer]),
    );
  }

  find({ parameter, value }: MoreRead): unknown {
    const answer = this.#given.get(`${parameter} ${value}`);
    const isNew = !this.missing.some((each) => each.parameter === parameter && each.value === value);
    if (answer === undefined && isNew) this.missing.push({ parameter, value });
    return answer;
  }
}

/** Returns the answer of a task. Where neither the task nor a saved query chooses a kind of chart, the answer does. */
function chartOfItself({ answer: given, mode }: Task): Task {
  const answer = readRecord(given);
  return typeof mode === 'string' ? answer : { ...answer, chart: { kind: 'auto', ...readChart(answer.chart) } };
}

function readChart(chart: unknown): Task {
  return isRecord(chart) ? chart : {};
}

type Task = Readonly<Record<string, unknown>>;

async function paintMarkup(task: Task, reads: GivenReads): Promise<Painted> {
  let marks: readonly Mark[] = [];
  const height = Number(task.height);
  const html = await renderElement(
    {
      answer: task.answer,
      readMore: async (more) => reads.find(more) ?? Promise.reject(new Error('The read is not in the task.')),
      width: Number(task.width),
      height,
      attributes: {
        render: readText(task.view),
        ...(typeof task.mode === 'string' ? { mode: task.mode } : {}),
        locale: readText(task.locale),
        'time-zone': readText(task.timeZone),
        height: task.view === 'chart' ? `${height + CHROME_HEIGHT}px` : '0px',
      },
    },
    (painted) => {
      marks = marksOf(painted);
    },
  );
  return { html, marks };
}

/** The margins of a chart and the line below it. */
const CHROME_HEIGHT = 60;

function marksOf(painted: PaintedChart): readonly Mark[] {
  if (painted.view !== 'chart') return [];
  const { plan } = painted;
  return Array.from({ length: Math.min(plan.pointCount, MAX_MARKS) }, (_, index) => plan.point(index)).flatMap(
    (point) => (point === undefined ? [] : [{ series: point.series, data: point.data, text: point.text }]),
  );
}

async function paintFallback(task: Task, reads: GivenReads): Promise<Painted> {
  const formats = await loadFormats(readText(task.locale), readText(task.timeZone));
  const answer = inNotation(parseAnswer(task.answer), formats);
  const png =
    task.view === 'chart' && answer.rows.length > 0 ? await chartPicture(answer, task, formats, reads) : undefined;
  return { png, text: textOf(answer, formats) };
}

/** Returns the picture of a chart; undefined where the answer cannot be drawn as one. */
async function chartPicture(
  answer: Answer,
  task: Task,
  formats: Formats,
  reads: GivenReads,
): Promise<Uint8Array | undefined> {
  const mode = typeof task.mode === 'string' ? findChartMode(task.mode) : undefined;
  const form = { render: 'chart', title: answer.title, mode, measure: undefined, compare: undefined } as const;
  const look = { theme: PICTURE_THEME, size: PICTURE_SIZE };
  const painted = paintChart(answer, formats, { ...form, peers: [answer] }, look, (rest) => {
    const others = reads.find({ parameter: 'others', value: JSON.stringify(rest) });
    return others === undefined ? undefined : inNotation(parseAnswer(others), formats);
  });
  return painted.view === 'chart' ? drawPng(painted.svg, painted.size, answer.title) : undefined;
}
