import type { ExportPart } from '../types.ts';
import { toCsv } from './csv.ts';
import { menu } from './menu.ts';
import { styles } from './menu-styles.ts';
import { panelImage } from './panel-image.ts';

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

export const image: ExportPart['image'] = panelImage;

export { menu, styles };
