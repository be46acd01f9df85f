import type { ToolMeta } from '../../router/operation.ts';

/** The operations on documents that are agent tools. */
export const DOCUMENT_TOOLS = {
  list: {
    name: 'list_documents',
    title: 'List saved queries and dashboards',
    description:
      'Lists the saved queries, dashboards and ask boxes that the user may read, with title and `path`. A question that a saved query answers is best answered by run_document.',
    listAs: 'documents',
  },
  read: {
    name: 'read_document',
    title: 'Read a saved query or dashboard',
    description:
      'Answers one document as it is saved: the request of a query, or the tiles of a dashboard with their ids.',
  },
  write: {
    name: 'save_document',
    title: 'Save a query or dashboard',
    description:
      'Writes a document whole. `path` is homes/<user>/<name>.service for a query, .servicedash for a dashboard. Read a similar document first and change it. Only if the user asks for it.',
    leftOut: ['ifMatch', 'ifNoneMatch'],
    outlines: { document: 'As `document` of read_document.' },
    writes: true,
    examples: [
      {
        path: 'homes/ann/sales-by-region.service',
        document: {
          version: 1,
          title: 'Sales by region',
          source: {
            surface: 'semantic',
            request: {
              connection: 'demo',
              model: 'shop',
              rows: [{ dataset: 'stores', field: 'region' }],
              values: [{ metric: 'net_sales' }],
            },
          },
        },
      },
    ],
  },
} as const satisfies Record<string, ToolMeta>;
