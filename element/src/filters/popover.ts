/** Space between a panel and its button, and between it and the edge of the window, in pixels. */
const GAP = 4;
const EDGE = 8;

/** Places a panel beside the button that opens it, and gives the focus back to it. On a phone the style sheet places it. */
export function openPanel(event: Event): void {
  const panel = event.currentTarget;
  const { newState }: { readonly newState?: unknown } = Object(event);
  const root = panel instanceof HTMLElement ? panel.getRootNode() : undefined;
  if (!(panel instanceof HTMLElement) || !(root instanceof ShadowRoot)) return;
  const button = root.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(panel.id)}"]`);
  if (!button) return;
  if (newState !== 'open') {
    // The browser gives the focus back only where it was at the button before, and not after another rendering.
    if (panel.contains(root.activeElement)) button.focus();
    return;
  }
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isRtl = getComputedStyle(panel).direction === 'rtl';
  const room = innerHeight - bottom - GAP - EDGE;
  const above = top - GAP - EDGE;
  const isBelow = room >= Math.min(320, above);
  const { style } = panel;
  style.setProperty('--_panel-start', `${Math.max(EDGE, isRtl ? innerWidth - right : left)}px`);
  style.setProperty('--_panel-top', isBelow ? `${bottom + GAP}px` : 'auto');
  style.setProperty('--_panel-bottom', isBelow ? 'auto' : `${innerHeight - top + GAP}px`);
  style.setProperty('--_panel-height', `${Math.max(160, isBelow ? room : above)}px`);
}
