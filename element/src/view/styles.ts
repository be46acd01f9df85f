import { css } from 'lit';
import { ROW_HEIGHT } from './row-window.ts';

/**
 * The host page owns nine custom properties (`--service-embed-*`), set on `service-embed` or anything around it; they
 * are read here once, each with its light default, and everything below uses the private names. The host inherits
 * nothing else: `all: initial` cuts fonts, colours and spacing of the page off at the border of the shadow root.
 */
export const styles = css`
  :host {
    all: initial;
    --fg: var(--service-embed-fg, #1c2530);
    --bg: var(--service-embed-bg, #ffffff);
    --line: var(--service-embed-border, #e2e6eb);
    --header: var(--service-embed-header-bg, #f6f8fa);
    --tile: var(--service-embed-tile-bg, #ffffff);
    --hover: var(--service-embed-row-hover, #f1f5fa);
    --negative: var(--service-embed-negative, #b3261e);
    --error: var(--service-embed-error, #a3261d);
    --muted: var(--service-embed-muted, #5b6673);
    color-scheme: inherit;
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    /* A chart has no width of its own; in a flex row the element would vanish. */
    min-width: min(100%, 240px);
    color: var(--fg);
    font: 14px / 1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
    text-align: start;
  }
  :host([hidden]) { display: none; }
  *, *::before { box-sizing: border-box; }
  p, h3 { margin: 0; font: inherit; }
  .unseen {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
    overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }

  .surface { position: relative; display: flex; flex: 1 1 auto; flex-direction: column; min-width: 0; }
  .surface.dashboard { container-type: inline-size; }
  .surface.query { overflow: hidden; background: var(--bg); border: 1px solid var(--line); border-radius: 8px; }

  .scroller { flex: 1 1 0; min-height: 84px; overflow: auto; outline-offset: -2px; overscroll-behavior-y: auto; }
  .scroller:focus-visible { outline: 2px solid var(--fg); }
  .scroller table { width: 100%; border-collapse: separate; border-spacing: 0; }
  .scroller table.windowed { table-layout: fixed; }
  th, td {
    height: ${ROW_HEIGHT}px; padding: 0 12px; text-align: start;
    max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  :is(th, td):first-child { padding-inline-start: 16px; }
  :is(th, td):last-child { padding-inline-end: 16px; }
  .windowed :is(th, td) { max-width: none; }
  .windowed tr:not(.spacer) td { border: 0; box-shadow: inset 0 -1px var(--line); }
  th {
    position: sticky; top: 0; z-index: 1; background: var(--header); color: var(--muted);
    border-bottom: 1px solid var(--line); font-size: 12px; font-weight: 600;
  }
  td { border-bottom: 1px solid var(--line); }
  tbody:last-of-type tr:last-child td { border-bottom: 0; }
  tbody tr:not(.spacer):hover td { background: var(--hover); }
  .spacer td:only-child { padding: 0; border: 0; }
  .number { text-align: end; font-variant-numeric: tabular-nums; }
  td.negative, .kpi.negative { color: var(--negative); }
  td.missing { color: var(--muted); }

  .chart-box { position: relative; flex: 1 1 0; min-height: 120px; margin: 12px; }
  .tile .chart-box { min-height: 0; margin: 0; }
  /* Its properties carry the theme to the chart (chart/look.ts); the transition tells the chart when they change. */
  .chart {
    position: absolute; inset: 0; overflow: hidden;
    color: var(--fg); caret-color: var(--muted); background-color: var(--bg); border: 0 solid var(--line);
    transition: color 1ms, caret-color 1ms, background-color 1ms, border-color 1ms;
  }
  .tile .chart { background-color: var(--tile); }

  .honesty {
    display: flex; flex: none; flex-wrap: wrap; justify-content: flex-end; gap: 2px 14px; padding: 7px 16px;
    color: var(--muted); font-size: 12px;
  }
  .honesty:empty { display: none; }
  .query > .honesty { border-top: 1px solid var(--line); }
  .gap { margin-inline-end: auto; }

  .notice {
    display: flex; flex: 1 1 auto; flex-direction: column; align-items: center; justify-content: center; gap: 2px;
    padding: 16px; color: var(--muted); text-align: center; text-wrap: balance;
  }
  .notice-title { color: var(--fg); font-weight: 600; }
  .failure .notice-title { color: var(--error); }
  .tile-unsupported { border-style: dashed; }
  .tile .notice { padding: 4px; font-size: 13px; }

  .grid {
    display: grid; gap: 12px; grid-auto-rows: 84px;
    grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
  }
  .tile {
    display: flex; flex-direction: column; gap: 8px; min-width: 0; padding: 14px 16px; overflow: hidden;
    grid-column: var(--x) / span var(--w); grid-row: var(--y) / span var(--h);
    background: var(--tile); border: 1px solid var(--line); border-radius: 8px; container-type: size;
  }
  .tile-text { justify-content: center; padding-inline: 4px; background: none; border-color: transparent; }
  .tile-title {
    flex: none; overflow: hidden; color: var(--muted); font-size: 13px; font-weight: 600;
    text-overflow: ellipsis; white-space: nowrap;
  }
  .tile-text > .tile-title { color: var(--fg); font-size: 16px; }
  .text { max-width: 80ch; max-height: 100%; overflow: auto; overflow-wrap: anywhere; white-space: pre-line; }
  .tile > .honesty { justify-content: flex-start; padding: 0; font-size: 11px; }
  .dashboard > .honesty { padding: 10px 4px 0; }
  .kpi {
    margin-block: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-size: min(32px, 150cqi / var(--characters), 42cqb); font-weight: 600; letter-spacing: -0.015em; line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }

  .skeleton { display: flex; flex: 1 1 0; gap: 12px; min-height: 0; overflow: hidden; animation: appear 200ms 120ms both; }
  .skeleton i { display: block; flex: none; border-radius: 4px; background: var(--line); animation: breathe 1.6s ease-in-out infinite; }
  .skeleton.table { flex-direction: column; gap: 24px; padding: 16px; }
  .skeleton.table i { height: 12px; }
  .skeleton.bars { align-items: flex-end; padding: 16px; }
  .skeleton.bars i { flex: 1; max-width: 48px; margin-inline: auto; }
  .tile .skeleton.bars { padding: 4px 0 0; }
  .skeleton.single { align-items: center; }
  .skeleton.single i { width: min(60%, 180px); height: min(36px, 60%); }
  .skeleton.tiles { flex-wrap: wrap; align-content: flex-start; }
  .skeleton.tiles i { flex: 1 1 30%; height: 168px; border-radius: 8px; }
  @keyframes breathe { 50% { opacity: 0.45; } }
  @keyframes appear { from { opacity: 0; } }
  @media (prefers-reduced-motion: reduce) { .skeleton, .skeleton i { animation: none; } }

  /* In a narrow place tiles stand one under the other, in reading order, as high as they were; text as high as it is. */
  @container (max-width: 600px) {
    .grid { display: flex; flex-direction: column; }
    .tile { flex: none; height: calc(var(--h) * 96px - 12px); }
    .tile-text { height: auto; container-type: normal; }
  }
  @media (forced-colors: active) { .surface.query, .tile { border-color: CanvasText; } }
`;
