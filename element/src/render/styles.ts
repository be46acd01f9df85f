import { css } from 'lit';

/**
 * The properties that `theme` changes. The host page can override each by a custom property. Private names begin with
 * `--_`: a page that sets `--service-embed-border` to its own `--line` would otherwise create a circle with a `--line`
 * here.
 */
const dark = css`
  --_0fg: #e6eaf0; --_0bg: #171b22; --_0line: #2f3742; --_0header: #1e242d; --_0hover: #222a34;
  --_0negative: #ff8f87; --_0muted: #9fabb9; color-scheme: dark;
`;

/**
 * The host page owns the custom properties `--service-embed-*`, set on `service-embed` or any element around it. They
 * are read here once, each with the theme's default, and everything below uses the private names. The element inherits
 * nothing else: `all: initial` stops fonts, colours and spacing of the page at the shadow root.
 */
export const styles = css`
  :host {
    all: initial;
    --_0fg: #1c2530; --_0bg: #ffffff; --_0line: #e2e6eb; --_0header: #f6f8fa; --_0hover: #f1f5fa;
    --_0negative: #b3261e; --_0muted: #5b6673;
    color-scheme: inherit;
  }
  :host([theme='dark']) { ${dark} }
  @media (prefers-color-scheme: dark) { :host([theme='auto']) { ${dark} } }
  :host {
    --_fg: var(--service-embed-fg, var(--_0fg));
    --_bg: var(--service-embed-bg, var(--_0bg));
    --_line: var(--service-embed-border, var(--_0line));
    --_grid: var(--service-embed-grid-line, var(--_line));
    --_header: var(--service-embed-header-bg, var(--_0header));
    --_tile: var(--service-embed-tile-bg, var(--_0bg));
    --_hover: var(--service-embed-row-hover, var(--_0hover));
    --_negative: var(--service-embed-negative, var(--_0negative));
    --_error: var(--service-embed-error, var(--_0negative));
    --_muted: var(--service-embed-muted, var(--_0muted));
    --_radius: var(--service-embed-radius, 8px);
    --_row: var(--service-embed-row-height, 36px);
    --_pad: var(--service-embed-cell-padding, 12px);
    --_motion: var(--service-embed-motion, 200ms);
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    /* A chart has no width of its own; in a flex row the element would vanish. */
    min-width: min(100%, 240px);
    color: var(--_fg);
    font: var(--service-embed-font-size, 14px) / 1.45 var(--service-embed-font, system-ui, sans-serif);
    text-align: start;
    print-color-adjust: exact;
  }
  @media (prefers-reduced-motion: reduce) { :host { --_motion: 0s; } }
  :host([hidden]) { display: none; }
  *, *::before { box-sizing: border-box; }
  p, h2, h3 { margin: 0; font: inherit; }
  .heading { flex: none; padding: 12px calc(var(--_pad) + 4px); background: var(--_bg); font-size: 1.14em; font-weight: 600; }
  :focus-visible { outline: 2px solid var(--_fg); outline-offset: -2px; }
  .visually-hidden {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
    overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }

  .surface { position: relative; display: flex; flex: 1 1 auto; flex-direction: column; min-width: 0; }
  .surface.query { overflow: hidden; background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); }

  .scroller { flex: 1 1 0; min-height: 84px; overflow: auto; overscroll-behavior-y: auto; }
  .scroller table { width: 100%; border-collapse: separate; border-spacing: 0; }
  .scroller table.windowed { table-layout: fixed; }
  th, td {
    height: var(--_row); padding: 0 var(--_pad); text-align: start;
    max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  :is(th, td):is(:first-child, :last-child) { padding-inline: calc(var(--_pad) + 4px); }
  .windowed :is(th, td) { max-width: none; }
  .windowed tr:not(.spacer) td { border: 0; box-shadow: inset 0 -1px var(--_grid); }
  th {
    position: sticky; top: 0; z-index: 1; background: var(--_header); color: var(--_muted);
    border-bottom: 1px solid var(--_line); font-size: 0.86em; font-weight: 600;
  }
  td { border-bottom: 1px solid var(--_grid); }
  tbody:last-of-type tr:last-child td { border-bottom: 0; }
  tbody tr:not(.spacer):hover td { background: var(--_hover); }
  .spacer td:only-child { padding: 0; border: 0; }
  .number { text-align: end; font-variant-numeric: tabular-nums; }
  /* A minus precedes its number in every script. */
  td.number { direction: ltr; }
  :host(:dir(rtl)) td.number { text-align: start; }
  /* The direction of each follows its own words, not the page. */
  .status-line span, time, .notice p { unicode-bidi: plaintext; }
  td.negative { color: var(--_negative); }
  td.missing { color: var(--_muted); }

  .status-line {
    display: flex; flex: none; flex-wrap: wrap; justify-content: flex-end; gap: 2px 14px;
    padding: 7px calc(var(--_pad) + 4px); color: var(--_muted); font-size: 0.86em;
  }
  .status-line:empty { display: none; }
  .query > .status-line { border-top: 1px solid var(--_line); }
  .status-badge:not(:has(+ .status-badge)) { margin-inline-end: auto; }

  .notice {
    display: flex; flex: 1 1 auto; flex-direction: column; align-items: center; justify-content: center; gap: 2px;
    padding: 16px; color: var(--_muted); text-align: center; text-wrap: balance;
  }
  .notice-title { color: var(--_fg); font-weight: 600; }
  .failure .notice-title { color: var(--_error); }

  .skeleton { display: flex; flex: 1 1 0; gap: 12px; min-height: 0; overflow: hidden; animation: appear var(--_motion) 120ms both; }
  .skeleton i { display: block; flex: none; border-radius: 4px; background: var(--_line); animation: breathe calc(8 * var(--_motion)) ease-in-out infinite; }
  .skeleton.table { flex-direction: column; gap: 24px; padding: 16px; }
  .skeleton.table i { height: 12px; }
  .skeleton.bars { align-items: flex-end; padding: 16px; }
  .skeleton.bars i { flex: 1; max-width: 48px; margin-inline: auto; }
  .skeleton.single { align-items: center; padding: 0 20px; }
  .tile .skeleton { padding: 4px 0 0; }
  .skeleton.single i { width: 180px; height: min(36px, 60%); }
  .skeleton.tiles { flex-wrap: wrap; align-content: flex-start; }
  .skeleton.tiles i { flex: 1 1 30%; height: 168px; border-radius: var(--_radius); }
  @keyframes breathe { 50% { opacity: 0.45; } }
  @keyframes appear { from { opacity: 0; } }
  @media (forced-colors: active) {
    .surface.query, .tile { border-color: CanvasText; }
    .skeleton i { background: GrayText; }
  }
  @media print { .scroller { flex-basis: auto; overflow: visible; } }
`;
