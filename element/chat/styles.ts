/** The looks of the page around a chart: the host's colours and letters where it gives them. */
export const pageStyles = `
  :root {
    color-scheme: light;
    --fg: var(--color-text-primary, #1c2530); --muted: var(--color-text-secondary, #5b6673);
    --bg: var(--color-background-primary, #ffffff); --line: var(--color-border-primary, #c9d0d8);
    --hover: var(--color-background-secondary, #f1f5fa); --ring: var(--color-ring-primary, var(--fg));
  }
  :root[data-theme='dark'] {
    color-scheme: dark;
    --fg: var(--color-text-primary, #e6eaf0); --muted: var(--color-text-secondary, #9fabb9);
    --bg: var(--color-background-primary, #171b22); --line: var(--color-border-primary, #3b4552);
    --hover: var(--color-background-secondary, #222a34);
  }
  * { box-sizing: border-box; }
  html { background: transparent; }
  body { margin: 0; color: var(--fg); font: 14px / 1.45 var(--font-sans, system-ui, sans-serif); }
  main { display: flex; flex-direction: column; background: var(--bg); border: 1px solid var(--line); border-radius: var(--border-radius-lg, 10px); overflow: hidden; }
  header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 12px 14px 4px 16px; }
  h1 { flex: 1 1 auto; margin: 0; min-width: 0; font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
  .views { display: flex; padding: 2px; border-radius: 8px; background: var(--hover); }
  button { min-height: 28px; padding: 2px 12px; border: 0; border-radius: 6px; background: none; color: var(--fg); font: inherit; cursor: pointer; }
  .views button { color: var(--muted); }
  .views button[aria-pressed='true'] { background: var(--bg); color: var(--fg); box-shadow: 0 0 0 1px var(--line); }
  .notice button { margin-top: 8px; border: 1px solid var(--line); }
  button:hover { color: var(--fg); text-decoration: underline; }
  :focus-visible { outline: 2px solid var(--ring); outline-offset: 1px; }
  .body { position: relative; min-height: 120px; }
  .body[aria-busy='true'] service-embed { opacity: 0.5; }
  .notice { display: flex; flex-direction: column; align-items: center; padding: 28px 16px; text-align: center; text-wrap: balance; }
  .notice p { margin: 0; color: var(--muted); }
  .notice p:first-child { color: var(--fg); font-weight: 600; }
  .foot { min-height: 20px; padding: 0 16px 10px; color: var(--muted); font-size: 12px; }
  .tip { position: fixed; z-index: 3; max-width: min(260px, 90vw); padding: 6px 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); color: var(--fg); font-size: 13px; white-space: pre-line; pointer-events: none; box-shadow: 0 4px 14px rgb(0 0 0 / 0.16); }
  .tip::first-line { font-weight: 600; }
  [hidden] { display: none !important; }
  service-embed {
    --service-embed-fg: var(--fg); --service-embed-muted: var(--muted); --service-embed-bg: var(--bg);
    --service-embed-border: var(--line); --service-embed-grid-line: color-mix(in srgb, var(--line) 55%, var(--bg));
    --service-embed-header-bg: var(--bg); --service-embed-row-hover: var(--hover); --service-embed-font: var(--font-sans, system-ui, sans-serif);
    --service-embed-row-height: 32px;
  }
`;

/** Added to the element's own styles, within its shadow. */
export const shadowStyles = `
  .surface.query { border: 0; border-radius: 0; }
  .query > .status-line { border-top: 0; padding-block: 0 6px; }
  .scroller { flex: 0 1 auto; max-height: 420px; }
  [role='button'] { cursor: pointer; }
  .painted [role='button']:hover { opacity: 0.78; }
  .painted [role='button']:focus { outline: none; stroke: var(--_fg); stroke-width: 2px; vector-effect: non-scaling-stroke; }
  .ask { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; text-align: start; }
  .ask:hover { text-decoration: underline; }
`;
