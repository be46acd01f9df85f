import type { ToolMeta } from '../../../router/operation.ts';
import { DESCRIBE_DEFAULTS, REPAIR_HINT } from '../../query-surface/index.ts';

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
      'Describes one cube: its measures (with synonyms and units), its dimensions with hierarchies, levels and sample members, and ready query bodies (examples). Call it before run_query, and build the query from an example; with requestSchema: true it has the JSON Schema of a query, too.',
    defaults: DESCRIBE_DEFAULTS,
  },
  searchMembers: {
    name: 'search_members',
    title: 'Search the members of a level',
    description:
      'Finds members of a level whose name or caption contains the text `q`, in any letter case. Use the `uniqueName` of a member in filters and rows when the sample members of describe_cube do not show the one you need.',
  },
  query: {
    name: 'run_query',
    title: 'Answer a cube query',
    description: `Answers a typed query of a cube: measures, rows and columns (dimension and level), filters, order, limit. Use the names of describe_cube; never MDX. ${REPAIR_HINT} The answer's queryId can be drilled through. Cells with suppressed: true are masked because their group is small.`,
  },
  preview: {
    name: 'preview_query',
    title: 'Show what a cube query would run',
    description: `Takes the same request as run_query, and answers the MDX that would run, without running it. ${REPAIR_HINT}`,
  },
  drillthrough: {
    name: 'drillthrough',
    title: 'Show the rows behind a cell',
    description:
      'Answers the rows of facts behind one cell of an answer of run_query: `queryId` of that answer, `position` as column:row (from 0). Masked and calculated cells cannot be drilled through.',
  },
} as const satisfies Record<string, ToolMeta>;
