import { nothing } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { ElementPart, PartInfo } from 'lit/directive.js';
import { PartType } from 'lit/directive.js';
import type { Chart, ChartModule } from '../chart/chart.ts';
import type { ChartSpec } from '../chart/option.ts';

/** Draws a chart in the element it stands on, and lets go of it when that element leaves the page. */
class ChartSurface extends AsyncDirective {
  #chart: Chart | undefined;
  #again: (() => void) | undefined;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('chartSurface stands on an element, not in an attribute.');
  }

  render(_module: ChartModule, _spec: ChartSpec): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [module, spec]: [ChartModule, ChartSpec]): typeof nothing {
    this.#again = () => {
      if (!(part.element instanceof HTMLElement)) return;
      this.#chart ??= module.createChart(part.element);
      this.#chart.draw(spec);
    };
    // The element may be rendered while its host is out of the page.
    if (this.isConnected) this.#again();
    return nothing;
  }

  override disconnected(): void {
    this.#chart?.dispose();
    this.#chart = undefined;
  }

  override reconnected(): void {
    this.#again?.();
  }
}

export const chartSurface = directive(ChartSurface);
