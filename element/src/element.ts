import type { ChartModule } from './chart/chart.ts';
import { EmbedElement } from './embed-element.ts';

/**
 * The `<service-embed>` element as a class, for projects that register elements themselves. Importing this module
 * registers nothing; importing the package does.
 */
export class ServiceEmbed extends EmbedElement {
  /** A dynamic import, so that bundlers put charts in a file that pages of tables never load. */
  protected override loadCharts(): Promise<ChartModule> {
    return import('./chart/chart.ts');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'service-embed': ServiceEmbed;
  }
}
