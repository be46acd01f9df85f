export const styles = `
  [role=grid] th { cursor: pointer; }
  [role=grid] th:hover { color: var(--fg); }
  [role=grid] th:hover::after, th[aria-sort=ascending]::after, th[aria-sort=descending]::after {
    content: '↕'; display: inline-block; width: 0; margin-inline-start: 3px; text-indent: 0; font-weight: 400;
  }
  th[aria-sort=ascending], th[aria-sort=descending] { color: var(--fg); }
  th[aria-sort=ascending]::after { content: '↑' !important; }
  th[aria-sort=descending]::after { content: '↓' !important; }
  .grip { position: absolute; inset-block: 0; inset-inline-end: 0; width: 9px; cursor: col-resize; touch-action: none; }
  .grip::before { content: ''; position: absolute; inset-block: 9px; inset-inline-end: 0; width: 1px; background: var(--line); }
  .grip:hover::before { inset-block: 4px; width: 2px; background: var(--muted); }
  td[aria-selected=true] { background: var(--hover); }
  tr.chosen td:first-child { box-shadow: inset 3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--grid); }
  tr.chosen td:first-child:dir(rtl) { box-shadow: inset -3px 0 var(--service-embed-chart-1, #2f6fb8), inset 0 -1px var(--grid); }
`;
