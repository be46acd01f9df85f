import { html, type TemplateResult } from 'lit';

/** One thing that a clicked row leads to. */
export interface Action {
  readonly text: string;
  readonly run: () => void;
}

/** Space between the menu and the edge of the window, in pixels. */
const EDGE = 8;
/** What had the focus before a menu. */
const before = new WeakMap<ShadowRoot, Element>();

/** Renders the menu of a clicked row. `openMenu` opens it after the rendering. */
export function actionMenu(title: string, actions: readonly Action[], closed: () => void): TemplateResult {
  const choose = (event: Event, { run }: Action): void => {
    hide(event);
    run();
  };
  return html`<div class="drill-menu" part="drill-menu" popover role="menu" aria-label=${title} @keydown=${moveFocus} @toggle=${(event: Event) => toggled(event, closed)}>
    <p class="drill-title" aria-hidden="true">${title}</p>
    ${actions.map((action) => html`<button type="button" class="drill-item" part="drill-item" role="menuitem" tabindex="-1" @click=${(event: Event) => choose(event, action)}>${action.text}</button>`)}
  </div>`;
}

/** Opens the rendered menu beside the click. On a phone the style sheet places it. */
export function openMenu(root: ShadowRoot, { x, y }: { readonly x: number; readonly y: number }): void {
  const menu = root.querySelector<HTMLElement>('.drill-menu');
  if (!menu || menu.matches(':popover-open')) return;
  if (root.activeElement) before.set(root, root.activeElement);
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  const isRtl = getComputedStyle(menu).direction === 'rtl';
  const start = isRtl ? x - width : x;
  const below = y + EDGE / 2;
  const top = below + height <= innerHeight - EDGE ? below : y - height - EDGE / 2;
  menu.style.setProperty('--_x', `${Math.max(EDGE, Math.min(start, innerWidth - width - EDGE))}px`);
  menu.style.setProperty('--_y', `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`);
  menu.querySelector('button')?.focus();
}

function hide({ currentTarget }: Event): void {
  const menu = currentTarget instanceof HTMLElement ? currentTarget.closest<HTMLElement>('.drill-menu') : undefined;
  menu?.hidePopover();
}

/** Gives the focus back, unless the visitor has moved it, and removes the menu. */
function toggled({ currentTarget: menu }: Event, closed: () => void): void {
  if (!(menu instanceof HTMLElement) || menu.matches(':popover-open')) return;
  const root = menu.getRootNode();
  if (root instanceof ShadowRoot) {
    const had = before.get(root);
    before.delete(root);
    const isLost = root.activeElement === null || menu.contains(root.activeElement);
    if (isLost && had instanceof HTMLElement && had.isConnected) had.focus({ preventScroll: true });
  }
  closed();
}

function moveFocus(event: KeyboardEvent): void {
  const { currentTarget: menu, target, key } = event;
  const items = menu instanceof HTMLElement ? [...menu.querySelectorAll('button')] : [];
  const at = target instanceof HTMLButtonElement ? items.indexOf(target) : -1;
  const last = items.length - 1;
  const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[key];
  if (key === 'Tab' && menu instanceof HTMLElement) menu.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
