export const styles = `
  .surface.ai {
    gap: 12px; padding: 16px; overflow: hidden; container-type: inline-size;
    background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius);
  }
  .ask-head { display: flex; flex: none; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; }
  .ask-title { flex: 1; min-width: 0; overflow-wrap: anywhere; font-size: 1.14em; font-weight: 600; }
  .ask-about { flex-basis: 100%; color: var(--_muted); overflow-wrap: anywhere; }
  .ask-form { display: flex; flex: none; gap: 8px; }
  .ask-input, .ask-button, .ask-chip, .ask-run, .ask-link { margin: 0; font: inherit; color: inherit; }
  .ask-input {
    flex: 1; min-width: 0; height: 44px; padding: 0 14px; background: var(--_tile);
    border: 1px solid var(--_muted); border-radius: var(--_radius);
  }
  .ask-input::placeholder { color: var(--_muted); opacity: 1; }
  .ask-button {
    flex: none; min-width: 76px; height: 44px; padding: 0 18px; cursor: pointer; font-weight: 600;
    color: var(--_bg); background: var(--_fg); border: 1px solid var(--_fg); border-radius: var(--_radius);
  }
  .ask-button:hover:not(:disabled) { opacity: 0.88; }
  .ask-button:disabled { cursor: default; opacity: 0.6; }
  .ask-link { padding: 4px 0; cursor: pointer; color: var(--_muted); text-decoration: underline; background: none; border: 0; font-size: 0.93em; }
  .ask-link:hover { color: var(--_fg); }
  .ai :is(.ask-input, .ask-text, .ask-button, .ask-chip, .ask-run, .ask-link, summary):focus-visible { outline: 2px solid var(--_fg); outline-offset: 2px; }
  .ask-chips { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; }
  .ask-closed { display: flex; flex: none; align-items: center; min-height: 44px; margin: 0; padding: 0 14px; color: var(--_muted); border: 1px dashed var(--_muted); border-radius: var(--_radius); }
  .ask-examples { display: contents; }
  .ask-examples li { max-width: 100%; padding: 5px 13px; color: var(--_muted); list-style: none; overflow-wrap: anywhere; background: var(--_header); border-radius: 16px; font-size: 0.93em; }
  .ask-label { color: var(--_muted); font-size: 0.86em; }
  .ask-chip, .ask-run {
    max-width: 100%; min-height: 32px; padding: 5px 13px; cursor: pointer; overflow-wrap: anywhere; text-align: start;
    background: var(--_header); border: 1px solid var(--_line); border-radius: 16px; font-size: 0.93em;
  }
  :is(.ask-chip, .ask-run):hover:not(:disabled) { background: var(--_hover); border-color: var(--_muted); }
  :is(.ask-chip, .ask-run):disabled { cursor: default; opacity: 0.6; }
  .ask-earlier { display: flex; flex: none; flex-wrap: wrap; gap: 2px 8px; margin: 0; padding: 0; color: var(--_muted); font-size: 0.86em; list-style: none; }
  .ask-earlier li { max-width: 32ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .ask-earlier li:not(:last-child)::after { content: " ›"; }
  .ask-exchange { display: flex; flex: 1 1 auto; flex-direction: column; gap: 10px; min-height: 0; padding-top: 12px; border-top: 1px solid var(--_line); }
  .ask-question { font-weight: 600; overflow-wrap: anywhere; }
  .ask-progress { color: var(--_muted); }
  .ask-certified { display: flex; align-items: baseline; gap: 6px; color: var(--_muted); }
  .ask-certified::before { content: "✓"; color: var(--_muted); font-weight: 700; }
  .ask-answer { position: relative; display: flex; flex: 1 1 240px; flex-direction: column; min-height: 180px; }
  .ask-answer.is-chart { flex-basis: 280px; min-height: 280px; }
  .ask-answer.is-table { flex-basis: 240px; overflow: hidden; border: 1px solid var(--_line); border-radius: var(--_radius); }
  .ask-answer.is-kpi { flex: 0 0 96px; min-height: 96px; --_kpi: 48px; }
  .ai .toggle { opacity: 1; }
  .ai .chart-box { margin: 0; }
  .ai .chart-box.as-table { margin-top: 34px; border: 1px solid var(--_line); border-radius: var(--_radius); }
  .ai .as-table .toggle { inset-inline-end: 0; }
  .ai .status-line { padding: 0; }
  .ask-query summary { width: fit-content; padding: 2px 0; cursor: pointer; color: var(--_muted); font-size: 0.93em; }
  .ask-query form { display: flex; flex-direction: column; align-items: flex-start; gap: 8px; margin: 8px 0 0; }
  .ask-text {
    box-sizing: border-box; width: 100%; max-height: 240px; margin: 0; padding: 12px; overflow: auto; resize: vertical; color: inherit; white-space: pre; font-family: var(--service-embed-font-mono, ui-monospace, monospace); font-size: 0.86em; direction: ltr;
    background: var(--_header); border: 1px solid var(--_muted); border-radius: var(--_radius);
  }
  .ask-wrong { align-self: flex-start; }
  .ask-marked { color: var(--_muted); font-size: 0.93em; }
  .ask-back { overflow-wrap: anywhere; }
  .ask-failed { display: flex; flex-direction: column; align-items: center; gap: 8px; }
  @container (max-width: 420px) {
    .ask-form { flex-direction: column; }
    .ask-input { flex: none; }
  }
  @media print { .ask-form, .ask-chips, .ask-link { display: none; } }
`;
