export const styles = `
  .chart-box { position: relative; display: flex; flex: 1 1 0; flex-direction: column; min-height: 120px; margin: 12px; }
  .chart-box.as-table { margin: 36px 0 0; }
  .tile .chart-box { min-height: 0; margin: 0; }
  .tile .chart-box.as-table { margin-inline: -16px; }
  /* These properties pass the theme to the chart (chart/theme.ts). The transition ends in an event when they change. */
  .chart {
    /* The page's direction would anchor SVG text; the drawing handles its direction itself. */
    position: absolute; inset: 0; overflow: hidden; direction: ltr;
    color: var(--_fg); caret-color: var(--_muted); background-color: var(--_bg); border: 0 solid var(--_line);
    column-rule-color: var(--_grid); text-decoration-color: var(--_negative); animation-duration: var(--_motion);
    transition: color 1ms, caret-color 1ms, background-color 1ms, border-color 1ms, column-rule-color 1ms, text-decoration-color 1ms, font-size 1ms;
  }
  .chart-scroller { position: absolute; inset: 0; overflow: auto hidden; overflow-y: auto; }
  .tile .chart { background-color: var(--_tile); }
  .points { position: absolute; inset: -6px; pointer-events: none; border-radius: 6px; }
  .names { position: absolute; z-index: 3; top: -6px; inset-inline-start: -6px; display: flex; }
  .names button { padding: 4px 10px; border: 1px solid var(--_line); border-radius: 6px; background: var(--_bg); color: var(--_fg); font: inherit; }
  .names button:not(:focus) { position: absolute; opacity: 0; pointer-events: none; }
  .names [aria-pressed='false'] { text-decoration: line-through; }
  .toggle {
    position: absolute; z-index: 2; top: -4px; inset-inline-end: -4px; display: grid; place-items: center;
    width: 28px; height: 28px; margin: 0; padding: 0; border: 1px solid transparent; border-radius: 6px;
    background: var(--_bg); color: var(--_muted); cursor: pointer; opacity: 0; transition: opacity var(--_motion);
  }
  .tile .toggle { top: -32px; background: var(--_tile); }
  .as-table .toggle { top: -32px; inset-inline-end: 8px; }
  .tile .as-table .toggle { inset-inline-end: 16px; }
  .surface.query:hover .toggle, .tile:hover .toggle, .toggle:focus-visible, .toggle[aria-pressed='true'] { opacity: 1; }
  .toggle:hover { border-color: var(--_line); color: var(--_fg); }
  .toggle svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; }
  @media (hover: none) { .toggle { opacity: 1; } }
  @media print { .toggle { display: none; } }
`;
