import type { ExportPart } from '../types.ts';
import { toCsv } from './csv.ts';
import { chartImage } from './image.ts';

export const csv: ExportPart['csv'] = (panel) => {
  const answer = panel?.answer;
  if (panel === undefined || answer === undefined) {
    throw new DOMException(
      'There is no answer to export. Wait for service-load; for a dashboard, name a tile.',
      'InvalidStateError',
    );
  }
  return new Blob([toCsv(answer, panel.table.order)], { type: 'text/csv;charset=utf-8' });
};

export const image: ExportPart['image'] = (panel, root, options) => {
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
};
