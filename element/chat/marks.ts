/** Makes the marks of a painted chart, and the rows of a painted table, ways to ask about them. */
import { fill, type Words } from './words.ts';

export interface Mark {
  readonly series: number;
  readonly data: number;
  readonly text: string;
}

export interface Asking {
  readonly words: Words;
  /** Sends the question about a value, described in one line. */
  ask(about: string): void;
  /** Shows a description beside a mark; undefined hides it. */
  showTip(text: string | undefined, beside?: Element): void;
}

/** Attaches to the marks of a chart. They are one stop of the Tab key; arrows go from mark to mark. */
export function attachToChart(root: ShadowRoot, marks: readonly Mark[], { words, ask, showTip }: Asking): void {
  const painted = root.querySelector('.painted');
  const drawn = [...root.querySelectorAll<SVGElement>('[ecmeta_data_index]')];
  const textOf = textFinder(marks);
  const stops = drawn.flatMap((element) => {
    const text = textOf(
      Number(element.getAttribute('ecmeta_series_index')),
      Number(element.getAttribute('ecmeta_data_index')),
    );
    return text === undefined ? [] : [{ element, text }];
  });
  if (painted === null || stops.length === 0) return;
  // An image has no parts that a reader could reach.
  painted.setAttribute('role', 'group');
  for (const [index, { element, text }] of stops.entries()) {
    const line = lineOf(text);
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', fill(words.about, line));
    element.setAttribute('tabindex', index === 0 ? '0' : '-1');
    element.addEventListener('click', () => ask(line));
    element.addEventListener('pointerenter', () => showTip(text, element));
    element.addEventListener('pointerleave', () => showTip(undefined));
    element.addEventListener('focus', () => showTip(text, element));
    element.addEventListener('blur', () => showTip(undefined));
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') ask(line);
      else if (!move(event.key, index)) return;
      event.preventDefault();
    });
  }

  function move(key: string, from: number): boolean {
    const last = stops.length - 1;
    const to = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      Home: 0,
      End: last,
    }[key];
    if (to === undefined) return false;
    const next = stops[Math.min(last, Math.max(0, to))];
    stops[from]?.element.setAttribute('tabindex', '-1');
    next?.element.setAttribute('tabindex', '0');
    next?.element.focus();
    return true;
  }
}

/** Returns the text of a mark. Where one stop describes all series at its place, its place alone names it. */
function textFinder(marks: readonly Mark[]): (series: number, data: number) => string | undefined {
  const exact = new Map(marks.map(({ series, data, text }) => [`${series} ${data}`, text]));
  const byData = new Map(marks.map(({ data, text }) => [data, text]));
  const isByData = byData.size === marks.length;
  return (series, data) => exact.get(`${series} ${data}`) ?? (isByData ? byData.get(data) : undefined);
}

/** Attaches to the rows of a table: the first cell of each becomes a button. */
export function attachToTable(root: ShadowRoot, { words, ask }: Asking): void {
  const heads = [...root.querySelectorAll('.scroller thead tr:last-child th')].map((head) => textIn(head));
  for (const row of root.querySelectorAll('.scroller tbody tr')) {
    const [first, ...others] = row.querySelectorAll('th, td');
    if (first === undefined || others.length === 0) continue;
    const figures = others.map((cell, index) =>
      [heads[index + 1] ?? '', textIn(cell)].filter((text) => text !== '').join(': '),
    );
    const line = [textIn(first), ...figures].join(', ');
    const button = document.createElement('button');
    button.className = 'ask';
    button.append(...first.childNodes);
    button.setAttribute('aria-label', fill(words.about, line));
    button.addEventListener('click', () => ask(line));
    first.append(button);
  }
}

function textIn(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function lineOf(text: string): string {
  return text.split('\n').join(', ');
}
