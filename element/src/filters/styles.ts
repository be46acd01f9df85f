export const styles = `
  .filters { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; padding: 10px 12px; }
  .query > .filters { border-bottom: 1px solid var(--_line); }
  button.filter, .filter.failed {
    display: inline-flex; align-items: baseline; gap: 8px; min-width: 0; max-width: 100%; min-height: 36px; padding: 7px 12px;
    color: var(--_fg); background: var(--_bg); border: 1px solid var(--_muted); border-radius: var(--_radius); font: inherit; text-align: start;
  }
  button.filter, button.clear, .period, .option { cursor: pointer; }
  button.filter:disabled, button.clear:disabled { cursor: default; }
  button.filter:not(:disabled):hover, .option:hover, .period:hover, button.clear:not(:disabled):hover { background: var(--_hover); }
  button.filter::after { width: 7px; height: 7px; margin-inline-start: auto; border: solid var(--_muted); border-width: 0 1.5px 1.5px 0; content: ''; transform: translateY(-3px) rotate(45deg); }
  button.toggle-filter { align-items: center; }
  button.toggle-filter::after { content: none; }
  .toggle-filter i { position: relative; flex: none; width: 32px; height: 18px; margin-inline-start: auto; background: var(--_bg); border: 1.5px solid var(--_muted); border-radius: 9px; }
  .toggle-filter i::before { position: absolute; inset-block-start: 2px; inset-inline-start: 2px; width: 11px; height: 11px; background: var(--_muted); border-radius: 50%; content: ''; transition: inset-inline-start var(--_motion); }
  .toggle-filter[aria-checked='true'] i { background: var(--_fg); border-color: var(--_fg); }
  .toggle-filter[aria-checked='true'] i::before { inset-inline-start: 16px; background: var(--_bg); }
  .filter-name { flex: none; max-width: 100%; overflow: hidden; color: var(--_muted); font-size: 0.93em; text-overflow: ellipsis; white-space: nowrap; }
  .filter-value { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .chosen-filter { border-color: var(--_fg); box-shadow: inset 0 0 0 1px var(--_fg); }
  .chosen-filter .filter-value { font-weight: 600; }
  .filter.failed { border-style: dashed; }
  .bone { display: inline-block; width: 48px; height: 10px; background: var(--_line); border-radius: 4px; }
  .filter.failed .filter-value { color: var(--_error); }
  button.clear { min-height: 32px; padding: 4px 10px; color: var(--_fg); background: none; border: 0; border-radius: var(--_radius); font: inherit; font-size: 0.93em; text-decoration: underline; text-underline-offset: 3px; }
  button.clear:disabled { color: var(--_muted); text-decoration: none; }

  .panel {
    position: fixed; inset: var(--_panel-top, 8px) auto var(--_panel-bottom, auto) auto; inset-inline-start: min(var(--_panel-start, 8px), 100vw - 328px);
    width: 320px; max-width: calc(100vw - 16px); max-height: min(440px, var(--_panel-height, 440px)); margin: 0; padding: 12px;
    overflow: auto; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius);
    box-shadow: 0 8px 28px rgb(0 0 0 / 0.22); font: inherit;
  }
  .panel:popover-open { display: flex; flex-direction: column; gap: 8px; }
  .field { box-sizing: border-box; width: 100%; min-width: 0; min-height: 36px; padding: 6px 10px; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_muted); border-radius: 6px; font: inherit; }
  .field::placeholder { color: var(--_muted); opacity: 1; }
  .options { flex: 0 1 auto; min-height: 0; margin: 0 -6px; overflow: auto; }
  .options[aria-busy='true'] { opacity: 0.6; }
  .option { display: flex; align-items: center; gap: 8px; min-height: 34px; padding: 4px 8px; border-radius: 6px; }
  .option input { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--_fg); }
  .option span { overflow-wrap: anywhere; }
  .periods { display: flex; flex-wrap: wrap; gap: 6px; }
  .period { min-height: 34px; padding: 4px 10px; color: var(--_fg); background: none; border: 1px solid var(--_muted); border-radius: 17px; font: inherit; font-size: 0.93em; }
  .period[aria-pressed='true'] { color: var(--_bg); background: var(--_fg); border-color: var(--_fg); }
  .ends { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
  .end { display: grid; gap: 4px; color: var(--_muted); font-size: 0.86em; }
  .end .field { font-size: 1.08em; }
  .panel-note, .panel-foot { color: var(--_muted); font-size: 0.86em; }
  .panel-note:empty { display: none; }
  .panel-foot { display: flex; flex: none; align-items: center; justify-content: space-between; gap: 8px; margin-block-start: auto; }
  .panel-foot span { min-width: 0; overflow-wrap: anywhere; }
  .panel-foot .clear { flex: none; }

  .tile-filter { justify-content: center; padding: 0; overflow: visible; background: none; border-color: transparent; container-type: normal; }
  .tile-filter .filter { width: 100%; background: var(--_tile); }
  .tile-filter .filter-value { margin-inline-start: auto; }
  .tile-filter button.filter::after { margin-inline-start: 0; }
  .filters-summary { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; margin-block-end: 10px; }
  .filters-summary > .clear { margin-inline-start: auto; background: var(--_bg); }
  button.chip {
    display: inline-flex; align-items: center; gap: 8px; min-width: 0; max-width: 100%; min-height: 32px; padding: 4px 12px;
    color: var(--_fg); background: var(--_tile); border: 1px solid var(--_muted); border-radius: 16px; font: inherit; font-size: 0.93em; cursor: pointer;
  }
  .chip span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .chip i { flex: none; color: var(--_muted); font-style: normal; font-size: 1.2em; line-height: 1; }
  button.chip:hover { background: var(--_hover); }
  .selecting :is(td, .chart), .selecting ~ * :is(td, .chart) { cursor: pointer; }
  /* The figures are those before the choice: a line at the top moves until theirs arrive. Words keep their contrast. */
  .tile.updating { position: relative; }
  .surface:has(> .led.updating)::before, .tile.updating::before {
    position: absolute; inset: 0 0 auto; z-index: 3; height: 3px; content: '';
    background: linear-gradient(var(--service-embed-chart-1, #2f6fb8) 0 0) 0 0 / 40% 100% no-repeat var(--_line);
    animation: updating calc(6 * var(--_motion)) ease-in-out infinite alternate;
  }
  @keyframes updating { to { background-position-x: 100%; } }

  @media (max-width: 600px) {
    .panel { inset: auto 8px 8px; width: auto; max-height: 70vh; }
    .option, .period, .field, button.filter { min-height: 44px; }
    button.filter { padding-block: 11px; }
    .period { border-radius: 22px; }
  }
  @container (max-width: 600px) { .tile-filter { height: auto; } }
  @media (forced-colors: active) { .filter, .panel, .field, .period { border-color: CanvasText; } .period[aria-pressed='true'] { outline: 2px solid Highlight; } }
  @media print { .filters .clear, .panel { display: none; } }
`;
