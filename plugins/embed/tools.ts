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
