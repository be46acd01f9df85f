import { EmbedElement } from './embed-element.ts';
import type { ElementParts, PartName } from './types.ts';

/** Dynamic imports, so that bundlers put each part in a file that pages without it never load. */
const PARTS: { readonly [N in PartName]: () => Promise<ElementParts[N]> } = {
  charts: () => import('./chart/part.ts'),
  dashboard: () => import('./dashboard/part.ts'),
  grid: () => import('./grid/part.ts'),
  matrix: () => import('./matrix/part.ts'),
  export: () => import('./export/part.ts'),
  refresh: () => import('./refresh/part.ts'),
  sparkline: () => import('./sparkline/part.ts'),
};

/**
 * The `<service-embed>` element as a class, for projects that register elements themselves. Importing this module
 * registers nothing; importing the package does.
 */
export class ServiceEmbed extends EmbedElement {
  protected override loadPart<N extends PartName>(name: N): Promise<ElementParts[N]> {
    return PARTS[name]();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'service-embed': ServiceEmbed;
  }
}
