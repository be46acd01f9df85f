import { css } from 'lit';

/** Styles of the explorer's dialogs. */
export const dialogStyles = css`
  dialog { width: min(560px, calc(100vw - 24px)); max-height: min(760px, calc(100dvh - 24px)); padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
  dialog[open] { display: flex; flex-direction: column; }
  dialog::backdrop { background: rgb(10 16 24 / 45%); }
  dialog.wide { width: min(1200px, calc(100vw - 24px)); height: min(760px, calc(100dvh - 24px)); }
  .head { display: flex; gap: 12px; align-items: start; justify-content: space-between; padding: 16px 20px 12px; border-bottom: 1px solid var(--line); }
  .head h2 { font-size: 18px; line-height: 24px; overflow-wrap: anywhere; }
  .body { display: grid; gap: 14px; align-content: start; min-height: 0; padding: 16px 20px; overflow: auto; }
  .body.full { display: flex; flex: 1; flex-direction: column; }
  .body service-embed { display: block; flex: 1; min-height: 0; }
  .foot { display: flex; gap: 8px; align-items: center; justify-content: flex-end; padding: 12px 20px 16px; border-top: 1px solid var(--line); }
  .foot p { flex: 1; color: var(--muted); font-size: 13px; }
  label > span { display: block; margin-bottom: 4px; color: var(--muted); font-size: 13px; font-weight: 500; }
  .field, select, textarea { width: 100%; min-width: 0; min-height: 36px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: 14px / 20px var(--body); }
  textarea { padding-block: 8px; }
  .bad { padding: 8px 12px; border: 1px solid var(--bad); border-radius: 6px; background: var(--bad-wash); }
  .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
  .saved { display: grid; gap: 2px; }
  .saved button { display: grid; gap: 0; width: 100%; min-height: 44px; padding: 6px 10px; border: 0; border-radius: 6px; background: none; color: var(--ink); font: inherit; text-align: start; cursor: pointer; }
  .saved button:hover, .saved button:focus-visible { background: var(--sunken); }
  .saved small { color: var(--muted); font-size: 12px; }
  .close { width: 32px; min-height: 32px; padding: 0; border-color: transparent; background: none; color: var(--muted); }
`;
