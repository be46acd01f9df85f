import type { Panel } from '../state/panel.ts';
import type { ExportedImage } from '../types.ts';
import { chartImage } from './image.ts';

/** Returns the chart of a panel as an image. @throws DOMException where there is none, and where the page refuses a PNG */
export function panelImage(panel: Panel | undefined, root: ShadowRoot, options: ExportedImage): Promise<Blob> {
  const chart = [...root.querySelectorAll<HTMLElement>('.chart')].find(
    ({ dataset }) => dataset.tile === (panel?.tile ?? ''),
  );
  const drawing = chart?.querySelector('svg');
  if (!panel || !chart || !drawing) {
    throw new DOMException(
      'There is no chart to export. Wait for service-render; for a dashboard, name a tile.',
      'InvalidStateError',
    );
  }
  return chartImage(drawing, getComputedStyle(chart).backgroundColor, options);
}
