import type { ToolMeta } from '../../router/operation.ts';
import { FILE_QUERY } from './file-answers.ts';

/** The reads of documents that are agent tools: one tool, for a saved query and for a tile. */
export const RUN_TOOLS = {
  query: {
    name: 'run_document',
    title: 'Run a saved query or a tile',
    description:
      'Answers a saved query by its `path`; with `tileId`, the tile of the dashboard at `path`. Paths are from list_documents, ids of tiles from read_document.',
    leftOut: ['filter', 'others', 'without', 'drill', 'sort', ...FILE_QUERY],
    part: { has: 'path' },
  },
  tile: {
    name: 'run_document',
    title: 'Run a saved query or a tile',
    description: 'Answers a tile of a dashboard.',
    leftOut: ['filter', 'others', 'without', 'drill', 'sort', ...FILE_QUERY],
    part: { has: 'tileId' },
  },
} as const satisfies Record<string, ToolMeta>;

/** The answer of a query that is not saved, of which `show_answer` is made. */
export const VIEW_ANSWER_TOOL = {
  name: 'view_answer',
  title: 'Answer a query for a view',
  description: 'Answers a query that is not saved, in the shape of an embed’s answer.',
  isInner: true,
} as const satisfies ToolMeta;
