import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import { missingWords } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { notice, skeleton } from '../render/placeholders.ts';
import { statusBadge, statusLine } from '../render/result-status.ts';
import type { Panel } from '../state/panel.ts';
import { selectRow } from '../table/select-row.ts';
import type { AnswerViewOptions, AnswerViewPart, Host } from '../types.ts';
import { chartTables } from './analysis-table.ts';
import { isKindLoaded, loadKind, planChart } from './kinds.ts';
import type { Plan, PlanPoint } from './plan.ts';
import { cappedNote, requestChart, specifyChart } from './prepare.ts';
import { addSettings, canCheckSettings, noteUngrouped } from './settings.ts';
import type { ChartSpec } from './spec.ts';
import type { Surface } from './surfaces.ts';

/** Kinds of charts whose part did not load. */
const failedKinds = new Set<string>();
let haveSettingsFailed = false;
/** Names of the legend that the reader has hidden, by panel. */
const hiddenSeries = new WeakMap<Panel, readonly string[]>();
/** The point that has the keyboard, by panel. */
const keyboardPoints = new WeakMap<Panel, number>();

/**
 * Renders a chart and a table of its values. The table is for screen readers, until the reader switches to it. An answer
 * that no chart can draw is a matrix.
 */
export function chartView(...[panel, answer, host, form, table]: Parameters<AnswerViewPart['view']>): TemplateResult {
  const { formats } = host;
  const { title } = form;
  if (!canCheckSettings(answer, form) || areWordsLoading(host)) {
    panel.view = undefined;
    return loadingChecks(answer, host, form);
  }
  const request = requestChart(answer, form, formats);
  const { mode, reason } = request.chosen;
  panel.problems = request.problems;
  if (mode === 'refused') {
    panel.view = 'empty';
    return notice(formats.say('Too many series'), reason);
  }
  if (panel.isTable) {
    panel.view = `chart:${mode}`;
    return html`<div class="chart-box as-table" part="chart-box">${table(panel, answer, host, form)}${tableToggle(panel, host)}</div>`;
  }
  if (mode === 'matrix') return matrixInstead([panel, answer, host, form, table], reason);
  const others = request.others && panel.readMore(answer, { others: JSON.stringify(request.others) });
  if (others === 'loading' || !isKindLoaded(mode, request.settings, answer)) {
    panel.view = undefined;
    return loadingKind(mode, request.settings, answer, host);
  }
  panel.view = `chart:${mode}`;
  const spec = specifyChart(answer, mode, request, {
    others: others === 'failed' ? undefined : others,
    peers: form.peers,
    formats,
    selected: panel.table.selected,
    hidden: hiddenSeries.get(panel),
  });
  const plan = planChart(spec);
  const select = (point: Pick<PlanPoint, 'row' | 'column'> | undefined) => {
    if (point?.row !== undefined) selectRow(host, panel, point.row, point.column);
  };
  const toggle = (name: string) => {
    const hidden = hiddenSeries.get(panel) ?? [];
    const left = hidden.filter((each) => each !== name);
    hiddenSeries.set(panel, left.length < hidden.length ? left : [...hidden, name]);
    host.requestUpdate();
  };
  const focused = keyboardPoints.get(panel);
  const at = focused ?? 0;
  panel.isPainting = true;
  const surface: Surface = {
    spec,
    isHydrating: host.isHydrating,
    onSelect: (index, id) => select(plan.locate(id, index)),
    onToggle: toggle,
    highlighted: focused === undefined ? undefined : plan.point(focused),
    onPainted() {
      panel.isPainting = false;
      panel.afterRender();
    },
  };
  const notes = [
    reason,
    cappedNote(answer, spec.answer, formats),
    noteUngrouped(answer, request.settings, formats),
    ...plan.notes,
  ].filter((each) => each !== undefined);
  const move = (event: KeyboardEvent) => moveByKey(event, panel, host, plan, select);
  return html`<div class="chart-box" part="chart-box">
      <div class="chart-scroller"><div class="chart" part="chart" role="img" aria-label=${spec.description} data-tile=${panel.tile ?? ''} .surface=${surface}></div></div>
      <div class="points" part="points" role="slider" tabindex="0" aria-label=${formats.say('Points of {0}', title)} aria-valuemin="1"
        aria-valuemax=${plan.pointCount} aria-valuenow=${at + 1} aria-valuetext=${(plan.point(at)?.text ?? '').replaceAll('\u2060', '')}
        @keydown=${move} @focus=${() => highlightPoint(panel, host, at)} @blur=${() => highlightPoint(panel, host, undefined)}></div>
      ${legendKeys(plan, spec, toggle)}${tableToggle(panel, host)}
    </div>
    ${notes.length > 0 ? statusLine(notes.map((note) => statusBadge(note))) : nothing}
    ${chartTables(answer, request.settings, formats, title)}`;
}

/** Renders the names of the legend as buttons, which appear when the keyboard reaches them. */
function legendKeys({ legend }: Plan, { hidden, settings, formats }: ChartSpec, toggle: (name: string) => void) {
  if (legend === undefined || legend.length < 2 || settings.legend === 'none') return nothing;
  return html`<div class="names" part="names" role="group" aria-label=${formats.say('Legend')} @keydown=${moveFocus}>${legend.map(
    (name, at) =>
      html`<button type="button" tabindex=${at === 0 ? 0 : -1} aria-pressed=${String(!hidden?.includes(name))} @click=${() => toggle(name)}>${name}</button>`,
  )}</div>`;
}

/** Moves the focus to the name beside it: a legend is one stop of the Tab key. */
function moveFocus({ key, target }: KeyboardEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const next = { ArrowRight: target.nextElementSibling, ArrowLeft: target.previousElementSibling }[key];
  if (next instanceof HTMLElement) next.focus();
}

/** Returns whether the words of the language are on their way. Without them a chart is drawn with the English ones. */
function areWordsLoading(host: Host): boolean {
  const language = missingWords(host.formats);
  return language !== undefined && host.part(`words-${language}`) === 'loading';
}

/** Shows a skeleton until the checks of settings, and the words of the language, are loaded. */
function loadingChecks(answer: Answer, host: Host, form: AnswerViewOptions): TemplateResult {
  if (haveSettingsFailed) return notice('', host.formats.say('The settings of the chart could not be loaded.'));
  // The element renders again by itself once the words are here.
  if (canCheckSettings(answer, form)) return skeleton('bars');
  import('./settings-part.ts')
    .then(addSettings)
    .catch(() => {
      haveSettingsFailed = true;
    })
    .finally(() => host.requestUpdate());
  return skeleton('bars');
}

/** Shows a skeleton until the kind of chart is loaded. */
function loadingKind(mode: ChartMode, settings: ChartSettings, answer: Answer, host: Host): TemplateResult {
  if (isKindLoaded(mode, settings, answer)) return skeleton('bars');
  const what = mode === 'map' ? (settings.regions ?? mode) : mode;
  const words = mode === 'map' ? 'The map {0} could not be loaded.' : 'The {0} chart could not be loaded.';
  if (failedKinds.has(what)) return notice('', host.formats.say(words, what));
  const { server }: { readonly server?: unknown } = Object(host.root.host);
  loadKind(mode, settings, answer, String(server ?? '')).then(
    () => host.requestUpdate(),
    () => {
      failedKinds.add(what);
      host.requestUpdate();
    },
  );
  return skeleton('bars');
}

/** Shows a matrix with the reason why it is no chart. */
function matrixInstead(shown: Parameters<AnswerViewPart['view']>, reason: string | undefined): TemplateResult {
  const [panel, answer, host, form, table] = shown;
  const part = host.part('matrix');
  panel.view = part === 'loading' ? undefined : part === 'failed' ? 'table' : 'matrix';
  if (part === 'loading') return skeleton('table');
  const view = part === 'failed' ? table(panel, answer, host, form) : part.view(...shown);
  return html`${view}${reason === undefined ? nothing : statusLine([statusBadge(reason)])}`;
}

function highlightPoint(panel: Panel, host: Host, point: number | undefined): void {
  if (point === undefined) keyboardPoints.delete(panel);
  else keyboardPoints.set(panel, point);
  host.requestUpdate();
}

/** Handles the keys of a slider: its value is the point, and its value text describes that point. */
function moveByKey(
  event: KeyboardEvent,
  panel: Panel,
  host: Host,
  plan: Plan,
  select: (point: PlanPoint | undefined) => void,
): void {
  const at = keyboardPoints.get(panel) ?? 0;
  const last = plan.pointCount - 1;
  const rtl = event.currentTarget instanceof Element && getComputedStyle(event.currentTarget).direction === 'rtl';
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: rtl ? -1 : 1,
    ArrowLeft: rtl ? 1 : -1,
    ArrowUp: 1,
    ArrowDown: -1,
    PageUp: 10,
    PageDown: -10,
    Home: -last - 1,
    End: last + 1,
  };
  const step = steps[event.key];
  if (step !== undefined) highlightPoint(panel, host, Math.min(Math.max(at + step, 0), last));
  else if (event.key === 'Enter' || event.key === ' ') select(plan.point(at));
  else if (event.key === 'Escape') {
    panel.table.selected = undefined;
    host.requestUpdate();
  } else return;
  event.preventDefault();
}

function tableToggle(panel: Panel, host: Host): TemplateResult {
  const turn = (): void => {
    panel.isTable = !panel.isTable;
    host.requestUpdate();
  };
  const table = host.formats.say('Show as table');
  const icon = panel.isTable
    ? svg`<path d="M2.5 2v11.5H14M5.5 11V7.5M8.5 11V4.5M11.5 11V6" />`
    : svg`<path d="M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6.5 3v10" />`;
  return html`<button class="toggle" part="toggle" type="button" aria-pressed=${String(panel.isTable)} aria-label=${table}
    title=${panel.isTable ? host.formats.say('Show as chart') : table} @click=${turn}><svg viewBox="0 0 16 16" aria-hidden="true">${icon}</svg></button>`;
}
