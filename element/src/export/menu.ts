/** The menu that saves what an embed shows as files. The page names the formats that it offers. */
import { html, nothing, type TemplateResult } from 'lit';
import { encodePath, send } from '../api/client.ts';
import type { Panel } from '../state/panel.ts';
import type { EmbedController, Host } from '../types.ts';
import { csvNotationOf, toCsv } from './csv.ts';
import { panelImage } from './panel-image.ts';

const FORMATS = ['csv', 'xlsx', 'png', 'pdf'] as const;
type Format = (typeof FORMATS)[number];

/** The file that is being made, and how the last one ended. */
interface State {
  readonly busy?: string | undefined;
  readonly message?: string | undefined;
  readonly failed?: boolean | undefined;
}

const states = new WeakMap<EmbedController, State>();

/** Countries with paper of the size Letter; every other prints on A4. */
const LETTER = /-(US|CA|MX|PH|CL|CO|VE|GT|CR|PA|DO|PR|SV|NI)\b/i;

/** Renders the button and its menu; nothing while there is nothing to save. */
export function menu(controller: EmbedController, host: Host, written: string): TemplateResult | typeof nothing {
  const named = written.split(/[\s,]+/);
  const offered = FORMATS.filter((format) => named.includes(format));
  const isDashboard = controller.source.kind === 'dashboard';
  const groups = isDashboard ? dashboardGroups(controller, host, offered) : queryGroups(controller, host, offered);
  if (groups.length === 0 || controller.source.kind === 'ai') return nothing;
  const { busy, message = '', failed = false } = states.get(controller) ?? {};
  const isWaiting = busy !== undefined || isPending(controller);
  const { formats } = host;
  const label = formats.say('Export');
  return html`<div class="export" part="export">
    <button class="export-button" part="export-button" type="button" popovertarget="export-menu" aria-haspopup="dialog">
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2v8m0 0 3-3m-3 3L5 7M2.5 11v2.5h11V11" /></svg>${label}</button>
    <div class="export-menu" id="export-menu" part="export-menu" popover role="dialog" aria-label=${label} @toggle=${place}>
      ${groups.map(
        ({ name, items }) => html`<div class="export-group" role="group" aria-label=${name || nothing}>
          ${name ? html`<span class="export-name" aria-hidden="true">${name}</span>` : nothing}${items.map(
            ({ key, text, make }) =>
              html`<button class="export-item" part="export-item" type="button" aria-disabled=${isWaiting ? 'true' : nothing}
                aria-label=${name ? formats.say('{0}: {1}', name, text) : nothing}
                @click=${() => void run(controller, host, key, make)}>${text}</button>`,
          )}
        </div>`,
      )}
      <p class="export-state ${failed ? 'failed' : ''}" role="status">${message}</p>
    </div>
  </div>`;
}

interface Item {
  readonly key: string;
  readonly text: string;
  /** Makes the file; returns a note about it, or nothing. */
  make(): Promise<string | undefined>;
}

interface Group {
  readonly name: string;
  readonly items: readonly Item[];
}

function queryGroups(controller: EmbedController, host: Host, offered: readonly Format[]): readonly Group[] {
  const panel = controller.panel(undefined);
  if (panel?.answer === undefined) return [];
  const items = [...panelItems(panel, host, offered), ...serverItems(controller, host, offered, panel.answer.title)];
  return items.length === 0 ? [] : [{ name: '', items }];
}

function dashboardGroups(controller: EmbedController, host: Host, offered: readonly Format[]): readonly Group[] {
  const { title = '', tiles = [] } = controller.contents?.() ?? {};
  if (!tiles.some(({ id }) => controller.panel(id)?.answer)) return [];
  const whole = {
    name: host.formats.say('Whole dashboard'),
    items: serverItems(controller, host, offered, title),
  };
  const single = tiles.map((tile): Group => {
    const panel = controller.panel(tile.id);
    const answer = panel?.answer;
    if (panel === undefined || answer === undefined) return { name: '', items: [] };
    return { name: tile.title ?? answer.title, items: panelItems(panel, host, offered) };
  });
  return [whole, ...single].filter(({ items }) => items.length > 0);
}

/** The files that the browser makes of one answer, as it is sorted here. */
function panelItems(panel: Panel, host: Host, offered: readonly Format[]): readonly Item[] {
  const { formats, root } = host;
  const { answer } = panel;
  if (answer === undefined || answer.rows.length === 0) return [];
  const key = panel.tile ?? '';
  const csv: Item = {
    key: `csv ${key}`,
    text: formats.say('CSV table'),
    async make() {
      const text = toCsv(answer, panel.table.order, csvNotationOf(formats.locale));
      return save(new Blob([text], { type: 'text/csv;charset=utf-8' }), answer.title, 'csv');
    },
  };
  const png: Item = {
    key: `png ${key}`,
    text: formats.say('PNG picture'),
    async make() {
      try {
        return save(await panelImage(panel, root, { type: 'png' }), answer.title, 'png');
      } catch (error) {
        // The policy of the page refuses `img-src blob:`, which a PNG needs.
        if (!(error instanceof DOMException) || error.name !== 'NotSupportedError') throw error;
        save(await panelImage(panel, root, { type: 'svg' }), answer.title, 'svg');
        return formats.say('This page allows no PNG; the picture is an SVG file.');
      }
    },
  };
  return [
    ...(offered.includes('csv') ? [csv] : []),
    ...(offered.includes('png') && panel.view?.startsWith('chart') ? [png] : []),
  ];
}

/** The files that the server makes. A page that reads for itself has none. */
function serverItems(
  controller: EmbedController,
  { formats }: Host,
  offered: readonly Format[],
  title: string,
): readonly Item[] {
  const { source, access } = controller;
  if (source.reader !== undefined || access === undefined) return [];
  const item = (format: 'xlsx' | 'pdf', text: string, paper?: string): Item => ({
    key: `${format} ${paper ?? ''}`,
    text,
    async make() {
      const query = new URLSearchParams({
        format,
        locale: formats.locale ?? navigator.language,
        // Without `locale` the page shows the names that the model writes.
        ...(formats.locale ? {} : { labels: 'model' }),
        timeZone: formats.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...filtersOf(controller),
        ...sortsOf(controller, format),
        ...(paper === undefined ? {} : { paper }),
      });
      const tail = `${source.kind}/${encodePath(source.path)}?${query}`;
      const response = await send(source, access, tail, AbortSignal.timeout(300_000));
      return save(await response.blob(), title, format);
    },
  });
  const a4 = item('pdf', formats.say('PDF, {0}', 'A4'), 'a4');
  const letter = item('pdf', formats.say('PDF, {0}', formats.say('Letter')), 'letter');
  const isLetter = LETTER.test(formats.locale ?? navigator.language);
  return [
    ...(offered.includes('xlsx') ? [item('xlsx', formats.say('Excel workbook'))] : []),
    ...(offered.includes('pdf') ? (isLetter ? [letter, a4] : [a4, letter]) : []),
  ];
}

/** Returns the filters and the steps down of the shown answers: of a query, or of the tiles where visitors choose for each. */
function filtersOf(controller: EmbedController): Readonly<Record<string, string>> {
  const { kind, filter: ofPage } = controller.source;
  if (kind === 'query') {
    const filter = controller.filterOf === undefined ? ofPage : controller.filterOf(undefined);
    const drill = controller.stepsOf?.(undefined);
    return { ...(filter === undefined ? {} : { filter }), ...(drill === undefined ? {} : { drill }) };
  }
  const chosen = (controller.contents?.()?.tiles ?? []).flatMap(({ id }) => {
    const filter = controller.panel(id) && controller.filterOf?.(id);
    return filter === undefined || filter === ofPage ? [] : [[id, filter] as const];
  });
  const drilled = (controller.contents?.()?.tiles ?? []).flatMap(({ id }) => {
    const steps = controller.stepsOf?.(id);
    return steps === undefined ? [] : [[id, steps] as const];
  });
  return {
    ...(ofPage === undefined ? {} : { filter: ofPage }),
    ...(chosen.length === 0 ? {} : { tileFilters: JSON.stringify(Object.fromEntries(chosen)) }),
    ...(drilled.length === 0 ? {} : { tileDrills: JSON.stringify(Object.fromEntries(drilled)) }),
  };
}

/** Returns how the shown tables are sorted. On paper a chart stays a chart, also where its table is shown here. */
function sortsOf(
  controller: EmbedController,
  format: 'xlsx' | 'pdf',
): { readonly sort?: string; readonly tileSorts?: string } {
  const sortOf = (tile: string | undefined) => {
    const { table, view, isTable, answer } = controller.panel(tile) ?? {};
    const column = answer?.columns[table?.sort?.column ?? -1]?.key;
    if (column === undefined || !(view === 'table' || (isTable && format === 'xlsx'))) return undefined;
    return { column, direction: table?.sort?.descending ? 'desc' : 'asc' };
  };
  const own = controller.source.kind === 'query' && sortOf(undefined);
  if (own) return { sort: JSON.stringify(own) };
  const sorts = (controller.contents?.()?.tiles ?? []).flatMap(({ id }) => {
    const sort = sortOf(id);
    return sort === undefined ? [] : [[id, sort] as const];
  });
  return sorts.length === 0 ? {} : { tileSorts: JSON.stringify(Object.fromEntries(sorts)) };
}

/** Returns whether a shown answer has another filter or step than the visitor has chosen: the next answer is being read. */
function isPending(controller: EmbedController): boolean {
  const tiles: readonly (string | undefined)[] = controller.contents?.()?.tiles.map(({ id }) => id) ?? [undefined];
  return tiles.some((tile) => controller.panel(tile)?.resource.isPending);
}

/** Makes a file, one at a time. */
async function run(controller: EmbedController, host: Host, key: string, make: Item['make']): Promise<void> {
  if (states.get(controller)?.busy !== undefined || isPending(controller)) return;
  const show = (state: State) => {
    states.set(controller, state);
    host.requestUpdate();
  };
  show({ busy: key, message: host.formats.say('Making the file…') });
  try {
    show({ message: (await make()) ?? host.formats.say('The file is made.') });
  } catch {
    show({ message: host.formats.say('The file could not be made. Try again.'), failed: true });
  }
}

function save(content: Blob, title: string, ending: string): undefined {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'export'}.${ending}`;
  link.click();
  // The browser must have read the file before; revoking at once would be too early.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Puts the open menu beside its button, within the window, and the focus back to the button when it closes. */
function place(event: Event): void {
  const box = event.currentTarget;
  const opener = box instanceof HTMLElement ? box.previousElementSibling : undefined;
  if (!(box instanceof HTMLElement) || !(opener instanceof HTMLElement)) return;
  if (!box.matches(':popover-open')) {
    // Escape leaves the focus in the closed menu or nowhere; a click elsewhere has moved it.
    const root = box.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    if (box.contains(focused) || document.activeElement === document.body) opener.focus();
    return;
  }
  const button = opener.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = button.bottom + 4;
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, button.top - height - 4);
  const isRtl = getComputedStyle(box).direction === 'rtl';
  const fits = isRtl ? button.right - width >= 8 : button.left + width <= innerWidth - 8;
  const start = isRtl === fits ? button.right - width : button.left;
  box.style.top = `${top}px`;
  box.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
  box.querySelector('button')?.focus();
}
