export const styles = `
  .crumbs-place { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 4px 8px; min-width: 0; }
  .crumbs-place:not(:has(*)) { display: none; }
  .query > .crumbs-place { padding: 8px 12px; border-bottom: 1px solid var(--_line); }
  .tile > .crumbs-place { margin: -2px -8px 4px; }
  .crumbs { min-width: 0; }
  .crumbs ol { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; }
  .crumbs li { display: flex; align-items: center; min-width: 0; }
  .crumbs li + li::before { flex: none; color: var(--_muted); content: '›' / ''; }
  :host(:dir(rtl)) .crumbs li + li::before { transform: scaleX(-1); }
  .crumb { max-width: 22ch; padding: 3px 8px; overflow: hidden; color: var(--_fg); font: inherit; font-size: 0.93em; line-height: 22px; text-overflow: ellipsis; white-space: nowrap; }
  button.crumb { background: none; border: 0; border-radius: var(--_radius); cursor: pointer; text-decoration: underline; text-underline-offset: 3px; }
  button.crumb:hover { background: var(--_hover); }
  span.crumb { font-weight: 600; }
  .tile-kpi > .crumbs-place { order: 1; margin: 4px -8px -4px; }

  .drill-menu {
    position: fixed; inset: var(--_y, 8px) auto auto var(--_x, 8px); min-width: 180px; max-width: min(320px, calc(100vw - 16px)); margin: 0; padding: 4px;
    color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); box-shadow: 0 8px 28px rgb(0 0 0 / 0.22); font: inherit;
  }
  .drill-title { padding: 6px 10px 4px; overflow: hidden; color: var(--_muted); font-size: 0.86em; text-overflow: ellipsis; white-space: nowrap; }
  .drill-item { display: block; width: 100%; min-height: 36px; padding: 6px 10px; color: var(--_fg); background: none; border: 0; border-radius: 6px; font: inherit; text-align: start; cursor: pointer; }
  .drill-item:hover, .drill-item:focus { background: var(--_hover); }

  .rows {
    position: fixed; inset: 0 0 0 auto; width: min(860px, 92vw); max-width: none; height: 100%; max-height: none; margin: 0; margin-inline-start: auto; padding: 0; overflow: hidden;
    color: var(--_fg); background: var(--_bg); border: 0; border-inline-start: 1px solid var(--_line); box-shadow: 0 0 40px rgb(0 0 0 / 0.28); font: inherit;
  }
  .rows::backdrop { background: rgb(0 0 0 / 0.32); }
  .rows-box { display: flex; flex-direction: column; height: 100%; min-height: 0; }
  .rows-head { display: flex; flex: none; align-items: flex-start; justify-content: space-between; gap: 12px; padding: 12px 8px 12px 16px; border-bottom: 1px solid var(--_line); }
  .rows-title { min-width: 0; padding-block: 6px; overflow-wrap: anywhere; font-weight: 600; }
  .rows-title span { margin-inline-end: 6px; color: var(--_muted); font-weight: 400; }
  .rows-close { flex: none; width: 36px; height: 36px; padding: 0; color: var(--_fg); background: none; border: 0; border-radius: var(--_radius); font: inherit; font-size: 1.5em; line-height: 1; cursor: pointer; }
  .rows-close:hover { background: var(--_hover); }
  .rows .status-line { border-top: 1px solid var(--_line); }
  .rows-again { align-self: center; flex: none; min-height: 36px; margin-block-end: 24px; padding: 6px 16px; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_muted); border-radius: var(--_radius); font: inherit; cursor: pointer; }
  .rows .failure { flex: 0 0 auto; margin-block-start: auto; }
  .rows .rows-again { margin-block-end: auto; }

  @media (max-width: 600px) {
    .drill-menu { inset: auto 8px 8px; width: auto; max-width: none; }
    .drill-item { min-height: 48px; }
    .crumb { padding-block: 9px; }
    .rows { inset: auto 0 0; width: 100%; height: min(88vh, 88dvh); border: 0; border-block-start: 1px solid var(--_line); border-radius: 14px 14px 0 0; }
    .rows-close { width: 44px; height: 44px; }
  }
  @media (prefers-reduced-motion: no-preference) {
    .rows { animation: rows-in var(--_motion) ease-out; }
    @keyframes rows-in { from { opacity: 0; transform: translateX(24px); } }
  }
  @media (forced-colors: active) { .drill-menu, .rows { border: 1px solid CanvasText; } .drill-item:focus { outline: 2px solid Highlight; } }
  @media print { .drill-menu, .rows, .show-rows { display: none; } }
`;
