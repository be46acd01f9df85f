export const styles = `
  .surface.dashboard { container-type: inline-size; }
  .tile .notice { padding: 4px; font-size: 0.93em; }
  .tile-table > :first-of-type { min-height: 0; }
  .tile-unsupported { border-style: dashed; }
  .grid {
    display: grid; gap: 12px; grid-auto-rows: var(--row);
    grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
  }
  .tile {
    display: flex; flex-direction: column; gap: 8px; min-width: 0; padding: 14px 16px; overflow: hidden;
    grid-column: var(--x) / span var(--w); grid-row: var(--y) / span var(--h);
    background: var(--_tile); border: 1px solid var(--_line); border-radius: var(--_radius); container-type: size;
  }
  /* Words that would stand on the page have a ground of their own: the page may have any. */
  .tile-text, .dashboard > :is(.status-line, .notice) { background: var(--_bg); border-radius: var(--_radius); }
  .tile-text { justify-content: center; border-color: transparent; }
  .tile-title {
    flex: none; overflow: hidden; color: var(--_muted); font-size: 0.93em; font-weight: 600;
    text-overflow: ellipsis; white-space: nowrap;
  }
  .tile-text > .tile-title { color: var(--_fg); font-size: 1.14em; }
  .text { max-width: 80ch; max-height: 100%; overflow: auto; overflow-wrap: anywhere; white-space: pre-line; }
  /* Numbers side by side share a baseline, with or without a sparkline below. */
  .tile .kpi-box { justify-content: flex-start; }
  .tile .kpi:only-child { font-size: clamp(14px, min(150cqi / var(--characters), 80cqb), 32px); }
  .tile .skeleton.single { align-items: flex-start; }
  .tile > .status-line { justify-content: flex-start; padding: 0; font-size: 0.79em; }
  .tile > .status-line .status-badge { margin: 0; }
  .dashboard > .heading { margin-bottom: 12px; border-radius: var(--_radius); }
  .dashboard > .status-line { align-self: flex-end; margin-top: 10px; padding: 3px 10px; }

  /* A narrow dashboard stacks its tiles in reading order and keeps their heights, unless a chart needs more; a text tile fits its text. */
  @container (max-width: 600px) {
    .grid { display: flex; flex-direction: column; }
    .tile { flex: none; height: max(var(--h) * (var(--row) + 12px) - 12px, var(--least, 0px) + 72px); }
    .tile-text { height: auto; container-type: normal; }
  }
  @media print { .tile { break-inside: avoid; } }
`;
