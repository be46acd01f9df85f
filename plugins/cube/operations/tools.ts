import type { ToolMeta } from '../../../router/operation.ts';
import { analysisTools, DESCRIBE_DEFAULTS, REPAIR_HINT } from '../../query-surface/index.ts';

/** The operations of this surface that are agent tools, by their names in the interface. */
export const CUBE_TOOLS = {
  cubes: {
    name: 'list_cubes',
    title: 'List cubes',
    description:
      'Lists the cubes that can be queried. Begin here (or with list_semantic_models). `cubeId`, which is connection/catalog/schema/cube, names a cube in every other cube tool.',
    listAs: 'cubes',
  },
  schema: {
    name: 'describe_cube',
    title: 'Describe a cube',
    description:
      'Describes one cube. First call it with `cubeId` alone: `index` then has all measures and dimensions with their levels, synonyms, some members, and `examples` that run. Then, where the index is not enough, name `dimensions` and `measures`, or words in `q`, for their details. Build queries from the examples.',
    defaults: DESCRIBE_DEFAULTS,
    leftOut: ['refresh', 'samples'],
  },
  searchMembers: {
    name: 'search_members',
    title: 'Search members',
    description:
      'Finds members whose name or caption contains the text `q`, in any letter case: of a level, of all levels of a dimension, or, with neither, of the cube. Use their `uniqueName` in filters and rows.',
  },
  query: {
    name: 'run_query',
    title: 'Answer a cube query',
    description: `Answers a typed query of a cube: measures, rows and columns (dimension and level), filters, order, limit. Use the names of describe_cube; never MDX. ${REPAIR_HINT} The answer's queryId can be drilled through. Cells with suppressed: true are masked because their group is small.`,
  },
  preview: {
    name: 'preview_query',
    title: 'Show what a cube query would run',
    description: 'Answers the MDX that run_query would run, without running it.',
    sameAs: 'run_query',
  },
  drillthrough: {
    name: 'drillthrough',
    title: 'Show the rows behind a cell',
    description:
      'Answers the rows of facts behind one cell of an answer of run_query: `queryId` of that answer, `position` as column:row (from 0). Masked and calculated cells cannot be drilled through.',
  },
  whatIf: {
    name: 'what_if',
    title: 'Answer a cube query with other values',
    description:
      'Answers a request of run_query as if some cells had other values, such as next year’s prices. Nothing is saved.',
    outlines: { query: 'A request of run_query.' },
  },
  ...analysisTools('cube'),
} as const satisfies Record<string, ToolMeta>;
