import type { TemplateResult } from 'lit';
import { askIcon, chartIcon, dashboardIcon, dataIcon } from '../styles/icons.ts';
import type { DocumentKind } from './document-entries.ts';

const ICONS: Readonly<Record<DocumentKind | 'model', TemplateResult>> = {
  dashboard: dashboardIcon,
  query: chartIcon,
  ai: askIcon,
  model: dataIcon,
};

export function kindIcon(kind: DocumentKind | 'model'): TemplateResult {
  return ICONS[kind];
}
