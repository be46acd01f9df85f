import type { ToolMeta } from '../../../router/operation.ts';
import { analysisTools, DESCRIBE_DEFAULTS, REPAIR_HINT } from '../../query-surface/index.ts';

/** The operations of this surface that are agent tools, by the names of the interface. */
export const SEMANTIC_TOOLS = {
  models: {
    name: 'list_semantic_models',
    title: 'List semantic models',
    description:
      'Lists the semantic models that can be queried, with a description of each. Begin here (or with list_cubes). `connectionName` and `modelName` together name a model in every other tool.',
    listAs: 'models',
  },
  schema: {
    name: 'describe_semantic_model',
    title: 'Describe a semantic model',
    description:
      'Describes one model. First call it with the names of the model alone: `index` then has all datasets with their fields, the metrics, synonyms, some values, and `examples` that run. Then, where the index is not enough, name `datasets` and `metrics`, or words in `q`, for their details. Build queries from the examples.',
    defaults: DESCRIBE_DEFAULTS,
    leftOut: ['refresh', 'samples'],
  },
  searchValues: {
    name: 'search_field_values',
    title: 'Search the values of fields',
    description:
      'Finds how a value is written, for a filter: values that contain the text `q`, in any letter case. With `dataset` and `field` in that field; without them in all text fields, and the answer has the fields with a match.',
    examples: [{ connection: 'demo', model: 'shop', q: 'berlin' }],
  },
  freshness: {
    name: 'get_freshness',
    title: 'Show how new the data is',
    description:
      'Answers the newest date in each dataset of a model. Call it before you answer about "today" or "this month".',
  },
  query: {
    name: 'run_semantic_query',
    title: 'Answer a query',
    description: `Answers a typed query of a semantic model: rows and columns to group by, values (metrics), filters, sorts, limit. Use the names from describe_semantic_model, never SQL. Answers \`records\`, or a matrix for charts with format=matrix. ${REPAIR_HINT} Cells with suppressed: true are masked because their group is small.`,
    examples: [
      {
        connection: 'demo',
        model: 'shop',
        rows: [{ dataset: 'sales', field: 'date', grain: 'month' }],
        values: [{ metric: 'net_sales' }],
      },
    ],
  },
  preview: {
    name: 'preview_semantic_query',
    title: 'Show what a query would run',
    description: 'Answers the SQL that run_semantic_query would run, and the plan in words, without running it.',
    sameAs: 'run_semantic_query',
  },
  rowDetail: {
    name: 'row_detail',
    title: 'Show the rows behind a query',
    description:
      'Takes a request of run_semantic_query, and answers the single rows of its fields instead of metrics. Add a key to the rows, such as an order number, to see each one.',
    sameAs: 'run_semantic_query',
  },
  combinations: {
    name: 'find_combinations',
    title: 'Find what a query can be extended by',
    description:
      'Takes a request of run_semantic_query, and answers the datasets and metrics that cannot be added to it, each with the reason. All others can.',
    sameAs: 'run_semantic_query',
  },
  ...analysisTools('connection'),
  ontology: {
    name: 'describe_semantic_ontology',
    title: 'Describe the concepts of a model',
    description:
      'Describes the concepts of a model and their relations, if its document defines them; otherwise an empty list.',
  },
} as const satisfies Record<string, ToolMeta>;
