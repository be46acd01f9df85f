/** The button stands in the status line of a query, and above a dashboard. */
export const styles = `
  .export { position: absolute; inset-block-end: 0; inset-inline-start: 4px; z-index: 2; }
  .surface.dashboard > .export { position: static; align-self: flex-end; margin-block-end: 8px; }
  .surface.query:has(> .export) > .status-line { min-height: 34px; padding-inline-start: 124px; }
  .export-button, .export-item {
    display: inline-flex; align-items: center; gap: 6px; min-height: 32px; margin: 0; padding: 4px 10px;
    color: inherit; background: none; border: 1px solid transparent; border-radius: min(var(--_radius), 6px);
    font: inherit; font-size: 0.86em; text-align: start; cursor: pointer;
  }
  .export-button { color: var(--_muted); }
  .surface.dashboard > .export > .export-button { background: var(--_tile); border-color: var(--_line); }
  :is(.export-button, .export-item):hover { color: var(--_fg); background: var(--_hover); }
  .export-item[aria-disabled='true'] { color: var(--_muted); cursor: progress; }
  .export-button svg { width: 14px; height: 14px; fill: none; stroke: currentColor; stroke-width: 1.6; }
  .export-menu {
    position: fixed; inset: auto; margin: 0; padding: 6px; width: max-content; max-width: min(340px, 100vw - 16px);
    max-height: min(420px, 100vh - 16px); overflow: auto; color: var(--_fg); background: var(--_bg);
    border: 1px solid var(--_line); border-radius: var(--_radius); box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
    font: inherit; text-align: start;
  }
  .export-group { display: flex; flex-direction: column; }
  .export-group + .export-group { margin-top: 4px; padding-top: 4px; border-top: 1px solid var(--_line); }
  .export-name { padding: 4px 10px 0; color: var(--_muted); font-size: 0.8em; font-weight: 600; }
  .export-state { padding: 6px 10px; max-width: 280px; font-size: 0.86em; }
  .export-state.failed { color: var(--_error); }
  .export-state:empty { display: none; }
  @media (pointer: coarse) { .export-button, .export-item { min-height: 44px; } .surface.query:has(> .export) > .status-line { min-height: 46px; } }
  @media (forced-colors: active) { .export-menu, .export-button { border-color: CanvasText; } }
  @media print { .export { display: none; } }
`;
