/**
 * The page that a chat shows for an answer (MCP Apps). It receives the handle of an answer, asks the server for its painted form with the host's
 * width, language and time zone, and sends a question to the chat where the reader clicks a value. It loads nothing itself.
 */
import { connect, type Host, type HostContext, type Json, recordOf, type ToolResult } from './host.ts';
import { attachToChart, attachToTable, type Mark } from './marks.ts';
import { pageStyles, shadowStyles } from './styles.ts';
import { fill, type Words, wordsFor } from './words.ts';

/** The tool that this page shows, and the one with which it reads. The server writes their names into the page. */
const { showTool = '', paintTool = '' } = document.documentElement.dataset;

/** Where the result of the tool has the handle. */
const META = 'service/answer';

const MIN_WIDTH = 240;
const MAX_WIDTH = 1_600;
/** Changes of width below this many pixels scale the chart; it is not painted again. */
const WIDTH_STEP = 24;
const RESIZED_AFTER_MS = 200;

const style = document.createElement('style');
style.textContent = pageStyles;
document.head.append(style);

const part = <Name extends keyof HTMLElementTagNameMap>(name: Name, className = ''): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  element.className = className;
  return element;
};
const main = part('main');
const header = part('header');
const title = part('h1');
const views = part('div', 'views');
const body = part('div', 'body');
const footer = part('div', 'foot');
const tip = part('div', 'tip');
views.setAttribute('role', 'group');
footer.setAttribute('role', 'status');
tip.setAttribute('aria-hidden', 'true');
tip.hidden = true;
header.append(title, views);
main.append(header, body, footer);
document.body.append(main, tip);

let host: Host | undefined;
let context: HostContext = {};
let words: Words = wordsFor(navigator.language);
let input: Json | undefined;
/** The answer that is shown. */
let shown: { handle: string; view: string; chosen: string; title: string } | undefined;
/** Counts the requests for a painted form, so that a late one replaces no newer one. */
let turn = 0;
let paintedWidth = 0;

const localeOf = () => context.locale ?? navigator.language;

function apply(change: HostContext): void {
  const before = `${localeOf()} ${context.timeZone}`;
  context = { ...context, ...change };
  const root = document.documentElement;
  root.dataset.theme = context.theme === 'dark' ? 'dark' : 'light';
  root.lang = localeOf();
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    if (value !== undefined) root.style.setProperty(name, value);
  body.querySelector('service-embed')?.setAttribute('theme', root.dataset.theme);
  words = wordsFor(localeOf());
  if (before !== `${localeOf()} ${context.timeZone}` && shown !== undefined) void paint();
}

function showNotice(text: string, detail = '', retry?: () => void): void {
  const notice = part('div', 'notice');
  const lines = [text, detail]
    .filter((line) => line !== '')
    .map((line) => Object.assign(part('p'), { textContent: line }));
  notice.append(...lines);
  if (retry !== undefined) {
    const button = Object.assign(part('button'), { textContent: words.again, type: 'button' });
    button.addEventListener('click', retry);
    notice.append(button);
  }
  notice.setAttribute('role', 'status');
  body.replaceChildren(notice);
  body.removeAttribute('aria-busy');
}

function receive(result: ToolResult): void {
  const { handle, view, title: name } = recordOf(recordOf(result._meta)[META]);
  if (result.isError === true || typeof handle !== 'string') {
    views.hidden = true;
    showNotice(words.failed, messageOf(result), input && (() => void askAgain()));
    return;
  }
  shown = { handle, view: String(view), chosen: String(view), title: String(name ?? '') };
  title.textContent = shown.title;
  void paint();
}

/** Asks the server for the answer anew, such as after the end of its handle. */
async function askAgain(): Promise<void> {
  if (host === undefined || input === undefined) return;
  showNotice(words.loading);
  receive(await host.call(showTool, input).catch(failure));
}

/** Returns a failed call as a failed result. */
function failure(error: unknown): ToolResult {
  return { isError: true, content: [{ type: 'text', text: error instanceof Error ? error.message : '' }] };
}

async function paint(isSecondTry = false): Promise<void> {
  if (shown === undefined || host === undefined) return;
  if (!host.canCall) return showNotice(words.noCalls);
  const mine = ++turn;
  const { handle, chosen } = shown;
  const width = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, main.clientWidth)));
  const zone = context.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  body.setAttribute('aria-busy', 'true');
  const result = await host
    .call(paintTool, { handle, view: chosen, width, locale: localeOf(), timeZone: zone })
    .catch(failure);
  if (mine !== turn) return;
  if (result.isError === true) {
    if (isSecondTry || input === undefined || fieldOf(result) !== 'handle')
      return showNotice(words.failed, messageOf(result), () => void paint());
    // The handle has ended; the question has not.
    const renewed = await host.call(showTool, input).catch(failure);
    const { handle: next } = recordOf(recordOf(renewed._meta)[META]);
    if (typeof next !== 'string') return showNotice(words.failed, messageOf(renewed), () => void paint());
    shown = { ...shown, handle: next };
    return paint(true);
  }
  paintedWidth = width;
  place(recordOf(result.structuredContent));
}

function place({ html, marks }: Json): void {
  const parsed = new DOMParser().parseFromString(String(html), 'text/html');
  const template = parsed.querySelector('template');
  const embed = document.createElement('service-embed');
  embed.setAttribute('theme', document.documentElement.dataset.theme ?? 'light');
  const shadow = embed.attachShadow({ mode: 'open' });
  shadow.append(...(template === null ? [] : [template.content]));
  shadow.append(Object.assign(part('style'), { textContent: shadowStyles }));
  if (host?.canAsk === true) {
    const asking = { words, ask, showTip };
    attachToChart(shadow, Array.isArray(marks) ? marks.map(markOf) : [], asking);
    attachToTable(shadow, asking);
  }
  showTip(undefined);
  body.replaceChildren(embed);
  body.removeAttribute('aria-busy');
  footer.textContent = host?.canAsk === true ? words.hint : '';
  showViews();
}

function markOf(mark: unknown): Mark {
  const { series, data, text } = recordOf(mark);
  return { series: Number(series), data: Number(data), text: String(text) };
}

/** Shows the choice between the answer's own view and its table. */
function showViews(): void {
  if (shown === undefined) return;
  const { view, chosen } = shown;
  views.hidden = view === 'table' || view === 'matrix';
  views.setAttribute('aria-label', words.views);
  if (views.hidden) return;
  const buttons = [
    { key: view, label: words.chart },
    { key: 'table', label: words.table },
  ].map(({ key, label }) => {
    const button = Object.assign(part('button'), { textContent: label, type: 'button' });
    button.setAttribute('aria-pressed', String(key === chosen));
    button.addEventListener('click', () => {
      if (shown === undefined || shown.chosen === key) return;
      shown = { ...shown, chosen: key };
      showViews();
      views.querySelector<HTMLButtonElement>('[aria-pressed=true]')?.focus();
      void paint();
    });
    return button;
  });
  views.replaceChildren(...buttons);
}

function ask(about: string): void {
  void host?.ask(fill(words.question, about, shown?.title ?? '')).then((isTaken) => {
    footer.textContent = isTaken ? words.sent : words.notSent;
  });
}

function showTip(text: string | undefined, beside?: Element): void {
  tip.hidden = text === undefined;
  if (text === undefined || beside === undefined) return;
  tip.textContent = text;
  const { left, right, top, bottom } = beside.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const x = Math.min(Math.max(4, (left + right - width) / 2), window.innerWidth - width - 4);
  const above = top - height - 6;
  tip.style.left = `${x}px`;
  tip.style.top = `${above >= 4 ? above : Math.min(bottom + 6, window.innerHeight - height - 4)}px`;
}

function messageOf({ content }: ToolResult): string {
  const text = content?.find(({ type }) => type === 'text')?.text ?? '';
  const { message } = parsed(text);
  return typeof message === 'string' ? message : text.slice(0, 300);
}

function fieldOf({ content }: ToolResult): unknown {
  return parsed(content?.find(({ type }) => type === 'text')?.text ?? '').field;
}

function parsed(text: string): Json {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

let resized: ReturnType<typeof setTimeout> | undefined;
new ResizeObserver(() => {
  host?.reportHeight(Math.ceil(main.getBoundingClientRect().height));
  if (paintedWidth === 0 || Math.abs(main.clientWidth - paintedWidth) < WIDTH_STEP) return;
  clearTimeout(resized);
  resized = setTimeout(() => void paint(), RESIZED_AFTER_MS);
}).observe(main);

// The result may come before the welcome has been read.
const early: (() => void)[] = [];
const later =
  <Value>(work: (value: Value) => void) =>
  (value: Value) => {
    if (host === undefined) early.push(() => work(value));
    else work(value);
  };
views.hidden = true;
showNotice(words.loading);
void connect({
  onInput: later((given: Json) => {
    input = given;
  }),
  onResult: later(receive),
  onCancelled: () => later(() => showNotice(words.cancelled))(undefined),
  onContext: later(apply),
}).then((connected) => {
  host = connected;
  apply(connected.context);
  if (shown === undefined) showNotice(words.loading);
  for (const work of early.splice(0)) work();
  host.reportHeight(Math.ceil(main.getBoundingClientRect().height));
});
