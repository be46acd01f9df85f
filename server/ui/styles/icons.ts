import { html, svg, type TemplateResult } from 'lit';

/**
 * Creates an icon of 24 units, shown at the size of the text beside it. Icons are decoration: the text has the same
 * meaning.
 */
function icon(path: TemplateResult): TemplateResult {
  return html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
}

export const copyIcon = icon(
  svg`<rect x="9" y="9" width="11" height="11" rx="2.5" /><path d="M5 15.5A2 2 0 0 1 4 14V6a2 2 0 0 1 2-2h8a2 2 0 0 1 1.5 1" />`,
);
export const doneIcon = icon(svg`<path d="m5 12.5 4.5 4.5L19 7.5" />`);
export const codeIcon = icon(svg`<path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5" />`);
export const sunIcon = icon(
  svg`<circle cx="12" cy="12" r="4" /><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1" />`,
);
export const moonIcon = icon(svg`<path d="M20 14.2A8 8 0 0 1 9.8 4a8 8 0 1 0 10.2 10.2Z" />`);
export const closeIcon = icon(svg`<path d="M6 6l12 12M18 6 6 18" />`);
export const shareIcon = icon(
  svg`<path d="M12 15V4M7.5 8 12 3.5 16.5 8M5 12.5V18a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5.5" />`,
);
export const uploadIcon = icon(
  svg`<path d="M12 16V5M7.5 9 12 4.5 16.5 9M4 15.5V18a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2.5" />`,
);
export const refreshIcon = icon(
  svg`<path d="M20 11a8 8 0 0 0-14.3-3.9L4 9M4 4.5V9h4.5M4 13a8 8 0 0 0 14.3 3.9L20 15M20 19.5V15h-4.5" />`,
);
export const alertIcon = icon(
  svg`<path d="M12 8.5v4.5M12 16.5v.01M10.3 4.4 3 17.2A2 2 0 0 0 4.7 20h14.6a2 2 0 0 0 1.7-2.8L13.7 4.4a2 2 0 0 0-3.4 0Z" />`,
);
export const homeIcon = icon(
  svg`<path d="m4 11 8-7 8 7v8a1.5 1.5 0 0 1-1.5 1.5H14V15h-4v5.5H5.5A1.5 1.5 0 0 1 4 19Z" />`,
);
export const dataIcon = icon(
  svg`<ellipse cx="12" cy="5.5" rx="7.5" ry="2.5" /><path d="M4.5 5.5v13c0 1.400 3.400 2.5 7.5 2.5s7.5-1.100 7.5-2.5v-13M4.5 12c0 1.400 3.400 2.5 7.5 2.5s7.5-1.100 7.5-2.5" />`,
);
export const exploreIcon = icon(svg`<circle cx="12" cy="12" r="8.5" /><path d="m15.5 8.5-2 5-5 2 2-5Z" />`);
export const documentsIcon = icon(
  svg`<path d="M3.5 7.5V18A1.5 1.5 0 0 0 5 19.5h14a1.5 1.5 0 0 0 1.5-1.5V9A1.5 1.5 0 0 0 19 7.5h-7L9.800 5H5a1.5 1.5 0 0 0-1.5 1.5Z" />`,
);
export const developIcon = icon(svg`<path d="m8 8-4.5 4L8 16M16 8l4.5 4L16 16M13.5 5l-3 14" />`);
export const adminIcon = icon(
  svg`<path d="M4 7h8M17 7h3M4 17h3M12 17h8" /><circle cx="14.5" cy="7" r="2.5" /><circle cx="9.5" cy="17" r="2.5" />`,
);
export const dashboardIcon = icon(
  svg`<rect x="3.5" y="4" width="7.5" height="9" rx="1.5" /><rect x="3.5" y="16" width="7.5" height="4" rx="1.5" /><rect x="14" y="4" width="6.5" height="4" rx="1.5" /><rect x="14" y="11" width="6.5" height="9" rx="1.5" />`,
);
export const chartIcon = icon(svg`<path d="M4 4v16h16M8.5 16v-4M13 16V8M17.5 16v-6" />`);
export const askIcon = icon(
  svg`<path d="M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v9a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 3.5V17h-1A1.5 1.5 0 0 1 4 15.5Z" />`,
);
export const searchIcon = icon(svg`<circle cx="11" cy="11" r="6.5" /><path d="m16 16 4.5 4.5" />`);
export const userIcon = icon(
  svg`<circle cx="12" cy="8.5" r="3.5" /><path d="M5 20c.6-3.600 3.400-5.5 7-5.5s6.400 1.900 7 5.5" />`,
);
export const downIcon = icon(svg`<path d="m6.5 9.5 5.5 5.5 5.5-5.5" />`);
export const plusIcon = icon(svg`<path d="M12 5v14M5 12h14" />`);
export const settingsIcon = icon(
  svg`<path d="M4 8h10M18 8h2M4 16h2M10 16h10" /><circle cx="16" cy="8" r="2" /><circle cx="8" cy="16" r="2" />`,
);
/** Going down to finer data. */
export const drillIcon = icon(svg`<path d="M5 5h14M9 10h10M13 15h6M5 9v6a4 4 0 0 0 4 4h1m-2.5-2.5L10 19l-2.5 2.5" />`);
export const undoIcon = icon(svg`<path d="M8 5 4 9l4 4M4.5 9H15a5 5 0 0 1 0 10h-4" />`);
export const redoIcon = icon(svg`<path d="m16 5 4 4-4 4M19.5 9H9a5 5 0 0 0 0 10h4" />`);
export const markIcon = html`<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="var(--accent)" /><path fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linecap="round" d="M7 17v-4M12 17V7M17 17v-7" /></svg>`;
