export const styles = `
  .kpi-box { display: flex; flex: 1 1 0; flex-direction: column; justify-content: center; min-height: 0; container-type: size; }
  .query > .kpi-box { margin: 16px 20px; }
  .kpi {
    flex: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-size: clamp(14px, min(150cqi / var(--characters), 42cqb), var(--_kpi, 32px)); font-weight: 600; letter-spacing: -0.015em; line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .query { --_kpi: 56px; }
  .kpi { unicode-bidi: plaintext; }
  .kpi.negative { color: var(--_negative); }
  .kpi-period { flex: none; overflow: hidden; color: var(--_muted); font-size: 0.86em; text-overflow: ellipsis; white-space: nowrap; }
  .delta { flex: none; overflow: hidden; color: var(--_muted); font-size: 0.86em; text-overflow: ellipsis; white-space: nowrap; }
  .delta b { color: var(--_fg); }
  .delta span { font-size: 0.75em; }
  .sparkline { flex: 0 1 56px; width: 100%; min-height: 0; margin-top: 6px; }
  .sparkline polyline { fill: none; stroke: var(--service-embed-chart-1, #2f6fb8); stroke-width: 1.75; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
  @container (max-height: 72px) { .sparkline { display: none; } }
`;
