export const styles = `
  table { --above: var(--service-embed-chart-1, #2f6fb8); --below: var(--service-embed-chart-2, #d06217); }
  /* A stroke below the number, in front of the ground of the cell: words keep their contrast. */
  table tbody tr td[style*='--'][style*='--'] {
    background-image: linear-gradient(to right, transparent var(--from, 0%), var(--above) var(--from, 0%) var(--to, 0%), transparent var(--to, 0%)),
      linear-gradient(var(--tint, transparent), var(--tint, transparent));
    background-origin: content-box, border-box; background-position: 0 calc(100% - 3px), 0 0;
    background-size: 100% 3px, 100% 100%; background-repeat: no-repeat;
  }
  .headings :is(th, td) { position: sticky; top: 0; z-index: 1; height: var(--_row); background: var(--_header); border-bottom: 1px solid var(--_line); text-align: center; }
  .headings th { cursor: default; }
  .headings :is(th, td) + :is(th, td) { border-inline-start: 1px solid var(--_line); }
  .headings + tr th { top: var(--_row); }
  .scroller:has(.headings) { scroll-padding-top: calc(2 * var(--_row) + 2px); }
  [data-frozen-1] tr:not(.headings, .spacer) > :nth-child(1) { position: sticky; inset-inline-start: 0; z-index: 2; }
  [data-frozen-2] tr:not(.headings, .spacer) > :nth-child(2) { position: sticky; inset-inline-start: var(--frozen-2); z-index: 2; }
  [data-frozen-3] tr:not(.headings, .spacer) > :nth-child(3) { position: sticky; inset-inline-start: var(--frozen-3); z-index: 2; }
  [data-frozen] thead tr > th { z-index: 2; }
  [data-frozen-1] thead tr:not(.headings) > :nth-child(1), [data-frozen-2] thead tr:not(.headings) > :nth-child(2), [data-frozen-3] thead tr:not(.headings) > :nth-child(3) { z-index: 3; }
  [data-frozen] tbody td { background-color: var(--_bg); }
  .tile [data-frozen] tbody td { background-color: var(--_tile); }
  [data-frozen] tbody tr:not(.spacer):hover td { background-color: var(--_hover); }
  .target { margin-top: 4px; color: var(--_muted); font-size: 0.93em; }
  .target b { color: var(--_fg); font-weight: 600; }
  .progress { flex: none; height: 6px; margin-top: 6px; max-width: 320px; border-radius: 3px; background: var(--_line); overflow: hidden; }
  .progress i { display: block; height: 100%; border-radius: inherit; background: var(--service-embed-chart-1, #2f6fb8); }
  @media (forced-colors: active) {
    table { --above: CanvasText; --below: CanvasText; }
    td[style] { --tint: transparent !important; }
    .progress { border: 1px solid CanvasText; }
    .progress i { background: CanvasText; forced-color-adjust: none; }
  }
`;
