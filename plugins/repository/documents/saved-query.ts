/** A saved query, `*.service`: one typed request of one query surface, with a title. */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { CHART_MODES } from '../../../router/chart-modes.ts';
import { ChartSettingsSchema } from '../../../router/chart-settings-schema.ts';
import { MAX_NAME_LENGTH } from '../../../router/limits.ts';
import { VIEW_FORMS } from '../../../router/view-forms.ts';
import { Analysis } from '../../analytics/index.ts';

/** Dimensions that a host page may filter by, besides the shown ones. */
const MAX_FILTERABLE = 50;

/** Steps of one way down. */
export const MAX_DRILL_STEPS = 20;

/** Fields that the rows behind an answer show. */
const MAX_ROW_FIELDS = 30;

export const Title = z.string().trim().min(1).max(200);
export const Description = z.string().max(4_000);

/** The surface that answers, and its request. Only the surface knows the members of the request. */
export const Source = z
  .strictObject({
    surface: Name.min(1).meta({ description: 'The query surface that answers, such as `semantic`.' }),
    request: z
      .record(z.string(), z.unknown())
      .meta({ description: 'A request as that surface takes it, with its connection and model.' }),
  })
  .meta({ id: 'QuerySource' });
export type Source = z.infer<typeof Source>;

/** Dimensions that a host page may filter by although the answer does not show them. */
export const Filterable = list(
  z
    .string()
    .min(3)
    .max(2 * MAX_NAME_LENGTH + 1),
  MAX_FILTERABLE,
).meta({
  description: 'Keys `dataset.field` that a host page may filter by, beside the dimensions that the answer shows.',
});

const Key = z
  .string()
  .min(3)
  .max(3 * MAX_NAME_LENGTH);

/** What a reader may do with a row of an answer, in embeds whose page sets `drill`. */
export const DrillChoice = z
  .strictObject({
    down: list(
      z.strictObject({
        field: Key.meta({ description: 'Key of a dimension that the answer shows, such as `sales.date.year`.' }),
        to: list(Key, MAX_DRILL_STEPS).min(1).optional().meta({
          description:
            'Keys of the dimensions below, from the top: `["stores.city", "stores.name"]`. Without it, the finer grains of a date, or the levels below in the hierarchy of a cube.',
        }),
      }),
      MAX_FILTERABLE,
    )
      .optional()
      .meta({ description: 'The dimensions that a reader may go down from, and up again.' }),
    rows: z
      .union([z.boolean(), list(Key, MAX_ROW_FIELDS).min(1)])
      .optional()
      .meta({
        description:
          'Whether a reader sees the rows behind a row of the answer; as a list, the fields that they show. `true` shows the fields that the model allows.',
      }),
  })
  .meta({ id: 'DrillChoice' });
export type DrillChoice = z.infer<typeof DrillChoice>;

export const SavedQuery = z
  .strictObject({
    version: z.literal(1),
    title: Title,
    description: Description.optional(),
    source: Source,
    filterable: Filterable.optional(),
    drill: DrillChoice.optional().meta({
      description: 'What a reader may do with a row of the answer, in embeds whose page sets `drill`.',
    }),
    chart: ChartSettingsSchema.optional().meta({ description: 'How charts of the answer are drawn.' }),
    view: z
      .strictObject({ render: z.enum(VIEW_FORMS), mode: z.enum(CHART_MODES).optional() })
      .optional()
      .meta({
        description:
          'How our own pages show the answer first, where a reader has chosen it. Embeds have attributes for it.',
      }),
    analytics: Analysis.optional().meta({
      description: 'The analysis along a time axis of the answer: unusual values, or a forecast. Charts show it.',
    }),
  })
  .meta({ id: 'SavedQuery' });
export type SavedQuery = z.infer<typeof SavedQuery>;
