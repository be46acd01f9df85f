import type { ToolMeta } from '../../../router/operation.ts';
import { DESCRIBE_DEFAULTS, REPAIR_HINT } from '../../query-surface/index.ts';

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
      'Describes one model: its datasets with their fields (labels, types, sample values), its metrics with the aggregations they take, its relationships, and ready query bodies (examples). Call it before run_semantic_query, and build the query from an example; with requestSchema: true it has the JSON Schema of a query, too.',
    defaults: DESCRIBE_DEFAULTS,
  },
  searchValues: {
    name: 'search_field_values',
    title: 'Search the values of a field',
    description:
      'Finds the spelling of a field’s values, for a filter: values that contain the text `q`, in any letter case; without `q`, the first values. Use it when the sample values of the description do not show the value you need.',
  },
  query: {
    name: 'run_semantic_query',
    title: 'Answer a query',
    description: `Answers a typed query of a semantic model: rows and columns to group by, values (metrics), filters, sorts, limit. Use the names from describe_semantic_model, never SQL. Answers \`records\`, or a matrix for charts with format=matrix. ${REPAIR_HINT} Cells with suppressed: true are masked because their group is small.`,
  },
  preview: {
    name: 'preview_semantic_query',
    title: 'Show what a query would run',
    description: `Takes the same request as run_semantic_query, and answers the SQL that would run and the plan in words, without running it. ${REPAIR_HINT}`,
  },
  ontology: {
    name: 'describe_semantic_ontology',
    title: 'Describe the concepts of a model',
    description:
      'Describes the concepts of a model and their relations, if its document defines them; otherwise an empty list.',
  },
} as const satisfies Record<string, ToolMeta>;
