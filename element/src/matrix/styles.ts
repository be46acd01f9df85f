export const styles = `
  .scroller:has(> .matrix) { scroll-padding-top: calc(2 * var(--_row) + 2px); }
  .matrix thead th { top: 0; height: var(--_row); }
  .matrix thead tr:nth-child(2) th { top: var(--_row); }
  .matrix thead th.group { text-align: center; border-inline-start: 1px solid var(--_line); }
  .matrix thead th.first, .matrix td.first { border-inline-start: 1px solid var(--_line); }
  .matrix tbody th {
    position: sticky; inset-inline-start: 0; z-index: 1; top: auto; background: var(--_bg); color: var(--_fg);
    border-bottom: 1px solid var(--_grid); border-inline-end: 1px solid var(--_line); font-size: 1em; font-weight: 400;
    padding-inline-start: calc(var(--_pad) + 4px + var(--depth) * 20px);
  }
  /* The corner spans both header lines; the first cell of the second line is an ordinary column. */
  .matrix thead tr:first-child th:first-child { z-index: 2; inset-inline-start: 0; border-inline-end: 1px solid var(--_line); }
  .matrix thead tr:nth-child(2) th { padding-inline: var(--_pad); }
  .matrix thead tr:nth-child(2) th:last-child { padding-inline-end: calc(var(--_pad) + 4px); }
  /* The names already end in a line. */
  .matrix thead tr:first-child th:first-child + th, .matrix thead tr:nth-child(2) th:first-child, .matrix tbody th + td.first { border-inline-start: 0; }
  .matrix tbody tr:last-child th { border-bottom: 0; }
  .matrix tbody tr.branch > *, .matrix tbody tr.total > * { font-weight: 600; }
  .matrix tbody tr.total > * { position: sticky; bottom: 0; background: var(--_bg); box-shadow: inset 0 1px var(--_line); }
  .matrix tbody tr.total > th { z-index: 2; }
  .matrix tbody tr:hover th { background: var(--_hover); }
  .branch button {
    all: unset; box-sizing: border-box; display: inline-flex; align-items: center; gap: 6px; min-height: 24px; cursor: pointer;
  }
  .branch button:focus-visible { outline: 2px solid var(--_fg); }
  .branch button::before {
    content: ''; width: 6px; height: 6px; margin-inline: 2px; border: solid var(--_muted); border-width: 0 1.5px 1.5px 0;
    rotate: -45deg; transition: rotate var(--_motion);
  }
  .branch button:dir(rtl)::before { rotate: 135deg; }
  .branch button[aria-expanded=true]::before { rotate: 45deg; }
  .branch .count { color: var(--_muted); font-weight: 400; }
  /* The part of grids is for tables, whose heads sort. */
  .matrix th { cursor: auto; }
  .matrix th::after { content: none !important; }
  .matrix [aria-selected=true] { background: var(--_hover); }
  .matrix :is(th, .first)[aria-selected=true] { box-shadow: inset 3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--_grid); }
  .matrix :is(th, .first)[aria-selected=true]:dir(rtl) { box-shadow: inset -3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--_grid); }
  .selecting :is(.matrix td, .matrix th):not(.leads), .selecting ~ * :is(.matrix td, .matrix th):not(.leads) { cursor: auto; }
  .selecting .matrix th.leads, .selecting ~ * .matrix th.leads { cursor: pointer; }
  @media (forced-colors: active) {
    .matrix [aria-selected=true] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  }
`;
