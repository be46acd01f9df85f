import { css } from 'lit';

/** The private names of what `theme` changes; every one can be overridden by a custom property of the host page. */
const dark = css`
  --_fg: #e6eaf0; --_bg: #171b22; --_line: #2f3742; --_header: #1e242d; --_hover: #222a34;
  --_negative: #ff8f87; --_muted: #9fabb9; color-scheme: dark;
`;

/**
 * The host page owns the custom properties `--service-embed-*`, set on `service-embed` or anything around it; they
 * are read here once, each with the default of the theme, and everything below uses the private names. The host
 * inherits nothing else: `all: initial` cuts fonts, colours and spacing of the page off at the shadow root.
 */
export const styles = css`
  :host {
    all: initial;
    --_fg: #1c2530; --_bg: #ffffff; --_line: #e2e6eb; --_header: #f6f8fa; --_hover: #f1f5fa;
    --_negative: #b3261e; --_muted: #5b6673;
    color-scheme: inherit;
  }
  :host([theme='dark']) { ${dark} }
  @media (prefers-color-scheme: dark) { :host([theme='auto']) { ${dark} } }
  :host {
    --fg: var(--service-embed-fg, var(--_fg));
    --bg: var(--service-embed-bg, var(--_bg));
    --line: var(--service-embed-border, var(--_line));
    --grid: var(--service-embed-grid-line, var(--line));
    --header: var(--service-embed-header-bg, var(--_header));
    --tile: var(--service-embed-tile-bg, var(--_bg));
    --hover: var(--service-embed-row-hover, var(--_hover));
    --negative: var(--service-embed-negative, var(--_negative));
    --error: var(--service-embed-error, var(--_negative));
    --muted: var(--service-embed-muted, var(--_muted));
    --radius: var(--service-embed-radius, 8px);
    --row: var(--service-embed-row-height, 36px);
    --pad: var(--service-embed-cell-padding, 12px);
    --motion: var(--service-embed-motion, 200ms);
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    /* A chart has no width of its own; in a flex row the element would vanish. */
    min-width: min(100%, 240px);
    color: var(--fg);
    font: var(--service-embed-font-size, 14px) / 1.45 var(--service-embed-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif);
    text-align: start;
  }
  @media (prefers-reduced-motion: reduce) { :host { --motion: 0s; } }
  :host([hidden]) { display: none; }
  *, *::before { box-sizing: border-box; }
  p, h3 { margin: 0; font: inherit; }
  :focus-visible { outline: 2px solid var(--fg); outline-offset: -2px; }
  .unseen {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
    overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }

  .surface { position: relative; display: flex; flex: 1 1 auto; flex-direction: column; min-width: 0; }
  .surface.query { overflow: hidden; background: var(--bg); border: 1px solid var(--line); border-radius: var(--radius); }

  .scroller { flex: 1 1 0; min-height: 84px; overflow: auto; overscroll-behavior-y: auto; }
  .scroller table { width: 100%; border-collapse: separate; border-spacing: 0; }
  .scroller table.windowed { table-layout: fixed; }
  th, td {
    height: var(--row); padding: 0 var(--pad); text-align: start;
    max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  :is(th, td):is(:first-child, :last-child) { padding-inline: calc(var(--pad) + 4px); }
  .windowed :is(th, td) { max-width: none; }
  .windowed tr:not(.spacer) td { border: 0; box-shadow: inset 0 -1px var(--grid); }
  th {
    position: sticky; top: 0; z-index: 1; background: var(--header); color: var(--muted);
    border-bottom: 1px solid var(--line); font-size: 0.86em; font-weight: 600;
  }
  td { border-bottom: 1px solid var(--grid); }
  tbody:last-of-type tr:last-child td { border-bottom: 0; }
  tbody tr:not(.spacer):hover td { background: var(--hover); }
  .spacer td:only-child { padding: 0; border: 0; }
  .number { text-align: end; font-variant-numeric: tabular-nums; }
  /* A minus stands before its number in every script. */
  td.number { direction: ltr; }
  :host(:dir(rtl)) td.number { text-align: start; }
  .kpi, .honesty span, time { unicode-bidi: isolate; }
  td.negative, .kpi.negative { color: var(--negative); }
  td.missing { color: var(--muted); }

  .honesty {
    display: flex; flex: none; flex-wrap: wrap; justify-content: flex-end; gap: 2px 14px;
    padding: 7px calc(var(--pad) + 4px); color: var(--muted); font-size: 0.86em;
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

  .kpi-box { display: flex; flex: 1 1 0; flex-direction: column; justify-content: center; min-height: 0; container-type: size; }
  .query > .kpi-box { margin: 16px 20px; }
  .kpi {
    flex: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-size: min(32px, 150cqi / var(--characters), 42cqb); font-weight: 600; letter-spacing: -0.015em; line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .query .kpi { font-size: min(56px, 150cqi / var(--characters), 42cqb); }

  .skeleton { display: flex; flex: 1 1 0; gap: 12px; min-height: 0; overflow: hidden; animation: appear var(--motion) 120ms both; }
  .skeleton i { display: block; flex: none; border-radius: 4px; background: var(--line); animation: breathe calc(8 * var(--motion)) ease-in-out infinite; }
  .skeleton.table { flex-direction: column; gap: 24px; padding: 16px; }
  .skeleton.table i { height: 12px; }
  .skeleton.bars { align-items: flex-end; padding: 16px; }
  .skeleton.bars i { flex: 1; max-width: 48px; margin-inline: auto; }
  .skeleton.single { align-items: center; padding: 0 20px; }
  .tile .skeleton { padding: 4px 0 0; }
  .skeleton.single i { width: 180px; height: min(36px, 60%); }
  .skeleton.tiles { flex-wrap: wrap; align-content: flex-start; }
  .skeleton.tiles i { flex: 1 1 30%; height: 168px; border-radius: var(--radius); }
  @keyframes breathe { 50% { opacity: 0.45; } }
  @keyframes appear { from { opacity: 0; } }
  @media (forced-colors: active) { .surface.query, .tile { border-color: CanvasText; } }
`;
