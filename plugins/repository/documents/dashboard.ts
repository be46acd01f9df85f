/** A dashboard, `*.servicedash`: tiles of several kinds on a grid. */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { CHART_MODES, isChartMode } from '../../../router/chart-modes.ts';
import { ChartSettingsSchema } from '../../../router/chart-settings-schema.ts';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH } from '../../../router/limits.ts';
import { FILTER_CONTROLS, isTileKind, TILE_KINDS, type TileKind } from '../../../router/tile-kinds.ts';
import { Analysis } from '../../analytics/index.ts';
import { EXTENSION } from './kinds.ts';
import { Description, DrillChoice, Filterable, Source, Title } from './saved-query.ts';

const MAX_COLUMNS = 48;
const MAX_TILES = 200;
const MAX_ROW = 10_000;
const MIN_ROW_HEIGHT = 20;
const MAX_ROW_HEIGHT = 400;

/** The query of a tile: a saved query of the repository, or one written into the tile. */
const TileQuery = z
  .union([
    z.strictObject({
      path: z
        .string()
        .max(MAX_PATH_LENGTH)
        .refine(
          (path) => path.endsWith(EXTENSION.query),
          `Give the path of a saved query, ending in ${EXTENSION.query}.`,
        )
        .meta({ description: 'Repository path of a saved query.' }),
    }),
    z.strictObject({
      source: Source,
      analytics: Analysis.optional().meta({ description: 'As in a saved query.' }),
    }),
  ])
  .meta({ id: 'TileQuery' });

/** Members of a tile besides those that only an unknown kind knows. */
const tileMembers = {
  id: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/, 'A tile id is 1 to 64 letters, digits, dots, hyphens or underscores.'),
  kind: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: `One of ${TILE_KINDS.join(', ')}; others are placeholders.` }),
  title: z.string().max(200).optional(),
  text: z.string().max(20_000).optional(),
  format: z
    .enum(['plain', 'markdown'])
    .optional()
    .meta({ description: 'Of a text: how it is written. HTML in Markdown stays text. `plain` where it is not given.' }),
  chartType: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: `Of a chart: one of ${CHART_MODES.join(', ')}; bar where it is not given.` }),
  chart: ChartSettingsSchema.optional().meta({
    description:
      'Of a chart or a number: its settings. Each replaces the setting of the saved query with the same name.',
  }),
  measure: Name.min(1).optional(),
  query: TileQuery.optional(),
  field: z
    .string()
    .min(3)
    .max(2 * MAX_NAME_LENGTH + 1)
    .optional()
    .meta({
      description:
        'Of a filter: the field `dataset.field` whose values a reader chooses: on our own pages, and in embeds whose page sets `filters`.',
    }),
  drives: list(z.string().min(1).max(64), MAX_TILES).optional().meta({
    description:
      'Of a filter: the ids of the tiles that it narrows; all tiles of its model where it is not given. Of a chart or a table: the ids of the tiles that a click in it narrows, in embeds whose page sets `drill`; none where it is not given.',
  }),
  drill: DrillChoice.optional().meta({
    description:
      'Of a chart, a table or a number: what a reader may do with a row of it, in embeds whose page sets `drill`; nothing where it is not given.',
  }),
  control: z.enum(FILTER_CONTROLS).optional().meta({
    description: 'Of a filter: how a reader chooses. The type of the field decides where it is not given.',
  }),
  x: z.int().min(0).max(MAX_COLUMNS),
  y: z.int().min(0).max(MAX_ROW),
  w: z.int().min(1).max(MAX_COLUMNS),
  h: z.int().min(1).max(MAX_ROW),
} as const;

export const Tile = z.looseObject(tileMembers).superRefine(checkTile).meta({ id: 'DashboardTile' });
export type Tile = z.infer<typeof Tile>;

export const Layout = z
  .strictObject({
    columns: z.int().min(1, { abort: true }).max(MAX_COLUMNS, { abort: true }),
    rowHeight: z
      .int()
      .min(MIN_ROW_HEIGHT)
      .max(MAX_ROW_HEIGHT)
      .optional()
      .meta({ description: 'Height of a row of the grid in pixels; 84 where it is not given.' }),
  })
  .meta({ id: 'DashboardLayout' });

export const Dashboard = z
  .strictObject({
    version: z.literal(1),
    title: Title,
    description: Description.optional(),
    layout: Layout,
    tiles: list(Tile, MAX_TILES),
    filterable: Filterable.optional(),
  })
  .superRefine(checkGrid)
  .meta({ id: 'Dashboard' });
export type Dashboard = z.infer<typeof Dashboard>;

/** The members that a tile of each kind must have, and how a message names them. */
const NEEDS: Readonly<Record<TileKind, Readonly<Partial<Record<keyof typeof tileMembers, string>>>>> = {
  text: { text: 'its `text`' },
  chart: { query: 'a `query`' },
  table: { query: 'a `query`' },
  kpi: { query: 'a `query`', measure: 'the `measure` that it shows' },
  filter: {},
};

/** Checks that a tile has what its kind needs, and for the kinds that are known, that no member is misspelt. */
function checkTile(tile: z.output<z.ZodObject<typeof tileMembers, z.core.$loose>>, context: z.RefinementCtx): void {
  if (!isTileKind(tile.kind)) return;
  const unknown = Object.keys(tile).filter((member) => !Object.hasOwn(tileMembers, member));
  if (unknown.length > 0)
    context.addIssue({
      code: 'unrecognized_keys',
      keys: unknown,
      legalMembers: Object.keys(tileMembers),
      input: tile,
      message: 'Unknown member.',
    });

  for (const [member, what] of Object.entries(NEEDS[tile.kind])) {
    if (tile[member] === undefined)
      context.addIssue({ code: 'custom', path: [member], message: `A ${tile.kind} tile needs ${what}.` });
  }
  const { chartType } = tile;
  if (tile.kind === 'chart' && chartType !== undefined && !isChartMode(chartType))
    context.addIssue({
      code: 'invalid_value',
      values: [...CHART_MODES],
      input: chartType,
      path: ['chartType'],
      message: `There is no chart type "${chartType}".`,
    });
}

function checkGrid(
  { layout, tiles }: { readonly layout: z.infer<typeof Layout>; readonly tiles: readonly Tile[] },
  context: z.RefinementCtx,
): void {
  const first = new Map<string, number>();
  tiles.forEach((tile, index) => {
    const earlier = first.get(tile.id);
    if (earlier === undefined) first.set(tile.id, index);
    else
      context.addIssue({
        code: 'custom',
        path: ['tiles', index, 'id'],
        message: `The tiles ${earlier} and ${index} have the same id.`,
      });
    if (tile.x + tile.w > layout.columns)
      context.addIssue({
        code: 'custom',
        path: ['tiles', index, tile.w > layout.columns ? 'w' : 'x'],
        message: `This tile ends at column ${tile.x + tile.w}; the layout has ${layout.columns}.`,
      });
  });
}
