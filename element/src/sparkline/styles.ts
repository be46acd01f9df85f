export const styles = `
  .delta { flex: none; overflow: hidden; color: var(--_muted); font-size: 0.86em; text-overflow: ellipsis; white-space: nowrap; }
  .delta b { color: var(--_fg); }
  .delta span { font-size: 0.75em; }
  .sparkline { flex: 0 1 56px; width: 100%; min-height: 0; margin-top: 6px; }
  .sparkline polyline { fill: none; stroke: var(--service-embed-chart-1, #2f6fb8); stroke-width: 1.75; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
  @container (max-height: 72px) { .sparkline { display: none; } }
`;
