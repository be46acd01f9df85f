export const styles = `
  /* The sticky header never covers the active cell. */
  .scroller { scroll-padding-top: calc(var(--_row) + 1px); }
  [role=grid] th { cursor: pointer; }
  [role=grid] th:hover { color: var(--_fg); }
  [role=grid] th:hover::after, th[aria-sort=ascending]::after, th[aria-sort=descending]::after {
    content: '↕'; display: inline-block; width: 0; margin-inline-start: 3px; text-indent: 0; font-weight: 400;
  }
  th[aria-sort=ascending], th[aria-sort=descending] { color: var(--_fg); }
  th[aria-sort=ascending]::after { content: '↑' !important; }
  th[aria-sort=descending]::after { content: '↓' !important; }
  .grip { position: absolute; inset-block: 0; inset-inline-end: 0; width: 9px; cursor: col-resize; touch-action: none; }
  .grip::before { content: ''; position: absolute; inset-block: 9px; inset-inline-end: 0; width: 1px; background: var(--_line); }
  /* The last column ends at the table's edge. */
  th:last-child .grip:not(:hover)::before { content: none; }
  .grip:hover::before { inset-block: 4px; width: 2px; background: var(--_muted); }
  td[aria-selected=true] { background: var(--_hover); }
  tr.chosen td:first-child { box-shadow: inset 3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--_grid); }
  tr.chosen td:first-child:dir(rtl) { box-shadow: inset -3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--_grid); }
  @media (forced-colors: active) {
    tr.chosen td, td[aria-selected=true] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  }
  @media print { .grip { display: none; } }
`;
