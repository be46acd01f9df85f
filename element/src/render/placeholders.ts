import { html, nothing, type TemplateResult } from 'lit';
import type { Formats } from '../formats.ts';
import type { EmbedController } from '../types.ts';

/** The message of every failed read: the reason would help a stranger to probe for resources. */
export const UNAVAILABLE_MESSAGE = 'This embed is not available.';

/** Renders a title and a sentence in place of data. */
export function notice(title: string, detail = ''): TemplateResult {
  return html`<div class="notice" part="notice">${title ? html`<p class="notice-title">${title}</p>` : nothing}${
    detail ? html`<p>${detail}</p>` : nothing
  }</div>`;
}

/** Renders the heading of an embed: a text, or with `true` the title of its document. */
export function headingView(
  heading: unknown,
  of: Pick<EmbedController, 'contents' | 'panel'> | undefined,
): TemplateResult | typeof nothing {
  const title = of?.contents?.()?.title ?? of?.panel(undefined)?.answer?.title;
  const text = typeof heading === 'string' && heading !== '' ? heading : heading != null && heading !== false && title;
  return text ? html`<h2 class="heading" part="title">${text}</h2>` : nothing;
}

/** Renders the notice for an answer without rows. */
export function emptyNotice(formats: Formats): TemplateResult {
  return notice(formats.say('No data'), formats.say('The query ran and returned no rows.'));
}

/** Renders the message of a failure. */
export function failureNotice(message: string): TemplateResult {
  return html`<div class="notice failure" part="error" role="alert"><p class="notice-title">${message}</p></div>`;
}

/** The shape of a skeleton: the extent of each bone in percent. */
const SKELETON_EXTENTS = {
  table: [92, 64, 78, 56, 84, 70, 60, 80],
  bars: [55, 80, 40, 95, 65, 30, 72, 48],
  single: [40],
  tiles: [0, 0, 0, 0, 0],
} as const;

/** Renders a skeleton in place of data that is loading. */
export function skeleton(shape: keyof typeof SKELETON_EXTENTS, words = 'Loading…'): TemplateResult {
  const side = { table: 'width', bars: 'height', single: 'max-width', tiles: 'order' }[shape];
  return html`<div class="skeleton ${shape}" part="skeleton"><span class="visually-hidden">${words}</span>${SKELETON_EXTENTS[
    shape
  ].map((extent) => html`<i .style=${`${side}:${extent}${extent ? '%' : ''}`}></i>`)}</div>`;
}
