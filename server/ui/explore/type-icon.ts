import { html, type TemplateResult } from 'lit';
import { msg } from '../words/words.ts';
import type { ThingType } from './state/catalog.ts';

const CALENDAR = html`<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><rect x="2" y="3" width="12" height="11" rx="2" /><path d="M2 7h12M5.5 1.5v3M10.5 1.5v3" /></svg>`;
const CHECK = html`<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><rect x="2" y="2" width="12" height="12" rx="3" /><path d="m5 8 2.2 2.2L11 6" /></svg>`;

const ICONS: Readonly<Record<ThingType, string | TemplateResult>> = {
  metric: 'Σ',
  text: 'A',
  number: '#',
  date: CALENDAR,
  'yes-no': CHECK,
};

const WORDS: Readonly<Record<ThingType, string>> = {
  metric: msg('metric'),
  text: msg('text'),
  number: msg('number'),
  date: msg('date'),
  'yes-no': msg('yes or no'),
};

/** Returns the sign of a type, as decoration. */
export function typeIcon(type: ThingType): string | TemplateResult {
  return ICONS[type];
}

/** Returns a type in words. */
export function typeWords(type: ThingType): string {
  return WORDS[type];
}
