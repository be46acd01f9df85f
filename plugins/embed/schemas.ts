import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { AttributesSchema } from '../../router/capabilities/attributes.ts';
import { Certification } from '../../router/certified-answer.ts';
import { ChartSettingsSchema } from '../../router/chart-settings-schema.ts';
import { FILTER_CONTROLS } from '../../router/tile-kinds.ts';
import { AnomalySummary, CellAnomaly, Forecasts } from '../analytics/index.ts';
import { Clarification } from '../ask/index.ts';
import { DocumentKind, Layout } from '../repository/index.ts';

/** One document and its kind: the target of a token or a grant. */
export interface Resource {
  readonly kind: DocumentKind;
  readonly path: string;
}

const ResourcePath = PathText.min(1).meta({
  description: 'Repository path of a saved query, a dashboard or an ask box.',
});
const EmbedPath = z.string().meta({
  description: 'What anybody embeds it by, of other tenants than the first: `tenants/<tenant>/<resourcePath>`.',
});
const Label = z.string().trim().max(200).meta({ description: 'For the owner, to distinguish tokens.' });
const Millis = z.int().meta({ description: 'Epoch milliseconds.' });
const Instant = z.iso.datetime();

/** The person whom an embed is shown to. */
const Viewer = z
  .strictObject({
    id: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'The host’s own name of the person; it stands in the audit log.' }),
    attributes: AttributesSchema.default({}).meta({
      description: 'Values by attribute, which viewer filters of models and cubes compare with.',
    }),
  })
  .meta({ id: 'EmbedViewer' });

const MAX_TTL_HOURS = 720;
const DEFAULT_TTL_HOURS = 72;

export const EmbedTokenRequest = z
  .strictObject({
    resourceKind: DocumentKind,
    resourcePath: ResourcePath,
    ttlHours: z.int().min(1).max(MAX_TTL_HOURS).default(DEFAULT_TTL_HOURS),
    label: Label.optional(),
    viewer: Viewer.optional().meta({
      description: 'The token shows this person’s rows only. An extension of this product.',
    }),
  })
  .meta({ id: 'EmbedTokenRequest' });

export const EmbedTokenResponse = z
  .strictObject({
    status: z.literal('OK'),
    token: z.string().meta({ description: 'Shown this once; only its hash is kept.' }),
    resourceKind: DocumentKind,
    resourcePath: ResourcePath,
    expiresAt: Millis,
  })
  .meta({ id: 'EmbedTokenResponse' });

export const EmbedTokenListing = z
  .strictObject({
    id: z.string(),
    resourceKind: DocumentKind,
    resourcePath: ResourcePath,
    label: z.string().nullable(),
    owner: z.string(),
    viewer: z.strictObject({ id: z.string() }).optional().meta({ description: 'Of a token for one viewer.' }),
    createdAt: Instant,
    expiresAt: Instant,
    revoked: z.boolean(),
    lastUsedAt: Instant.nullable().meta({ description: 'To the minute; null for a token that was never used.' }),
  })
  .meta({ id: 'EmbedTokenListing' });

/** An ask box has no public grant: everybody could spend the budget of its tenant. */
const PublicKind = DocumentKind.exclude(['ai']);

export const PublicGrantRequest = z
  .strictObject({ resourceKind: PublicKind, resourcePath: ResourcePath, label: Label.optional() })
  .meta({ id: 'PublicGrantRequest' });

export const PublicGrantResponse = z
  .strictObject({
    status: z.literal('OK'),
    resourceKind: DocumentKind,
    resourcePath: ResourcePath,
    embedPath: EmbedPath.optional(),
  })
  .meta({ id: 'PublicGrantResponse' });

export const PublicGrantListing = z
  .strictObject({
    resourceKind: DocumentKind,
    resourcePath: ResourcePath,
    label: z.string().nullable(),
    owner: z.string(),
    isOwn: z.boolean().meta({ description: 'Whether the caller made it; only the owner and administrators end it.' }),
    createdAt: Instant,
    embedPath: EmbedPath.optional(),
  })
  .meta({ id: 'PublicGrantListing' });

export const Done = z.strictObject({ status: z.literal('OK') });

const MetricCell = z.strictObject({
  value: z.union([z.number(), z.string()]).nullable().meta({ description: 'Text where no double holds it exactly.' }),
  formatted: z.string().nullable(),
  suppressed: z.literal(true).optional(),
  anomaly: CellAnomaly.optional(),
});

/** A saved query's answer, as tables and charts take it. */
export const EmbedQueryAnswer = z
  .strictObject({
    title: z.string(),
    description: z.string().optional(),
    columns: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        type: z.enum(['dimension', 'metric']),
        dataType: z.string(),
        aggregationKind: z.string().optional(),
        grain: z.string().optional().describe('Of a dimension of periods or parts of dates.'),
        labels: z
          .record(z.string(), z.string())
          .optional()
          .describe('Labels of a grain’s values. A value with an empty label is shown as a missing one.'),
        axis: z.literal('columns').optional().describe('Of a dimension that the request has in `columns`.'),
        change: z.literal('points').optional().describe('Of a rate in per cent: its change is in percentage points.'),
      }),
    ),
    records: z.array(z.record(z.string(), z.union([MetricCell, z.string(), z.number(), z.boolean(), z.null()]))),
    meta: z.strictObject({
      rowCount: z.int(),
      truncated: z.boolean(),
      suppressed: z.strictObject({ count: z.int(), reason: z.string() }).optional(),
    }),
    freshness: z.strictObject({ computedAtMillis: z.int(), cached: z.boolean() }),
    anomaly: AnomalySummary.optional(),
    forecast: Forecasts.optional(),
    chart: ChartSettingsSchema.optional(),
    drill: z
      .strictObject({
        down: z
          .array(
            z.strictObject({
              field: z.string(),
              label: z.string().describe('Label of the dimension that the step shows.'),
              by: z.array(z.string()).describe('Keys of the dimensions whose values the step needs.'),
              leaves: z
                .array(z.string())
                .optional()
                .describe('Values of the dimension with nothing below them: the step leads nowhere from their rows.'),
            }),
          )
          .describe('The dimensions from which a further step leads.'),
        trail: z
          .array(z.strictObject({ label: z.string(), text: z.string().nullable() }))
          .describe('The steps so far, as texts.'),
        rows: z.boolean().describe('Whether the rows behind a row can be read.'),
      })
      .optional()
      .describe('What the document lets a reader do with a row.'),
  })
  .meta({ id: 'EmbedQueryAnswer' });

/** The content of an ask box before the first question. */
export const EmbedAskBox = z
  .strictObject({
    title: z.string(),
    description: z.string().optional(),
    suggestions: z.array(z.string()),
    configured: z.boolean().meta({ description: 'Whether questions can be asked at present.' }),
  })
  .meta({ id: 'EmbedAskBox' });

const Attempt = z.object({ attempt: z.int() });

/** The events of a question that was put to an ask box. */
export const EmbedAskEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('thinking'), data: Attempt }),
  z.object({ event: z.literal('query'), data: Attempt }),
  z.object({ event: z.literal('validation'), data: Attempt.extend({ valid: z.boolean() }) }),
  z.object({
    event: z.literal('answer'),
    data: EmbedQueryAnswer.extend({
      queryUsed: z.record(z.string(), z.unknown()).meta({ description: 'The query that was answered.' }),
      followUps: z.array(z.string()).meta({ description: 'Suggested next questions.' }),
      certified: Certification.optional().meta({ description: 'Set where the answer is a certified one.' }),
    }),
  }),
  z.object({ event: z.literal('clarification'), data: Clarification }),
  z.object({ event: z.literal('error'), data: z.record(z.string(), z.unknown()) }),
]);

const OfferedValue = z.union([z.string(), z.number(), z.boolean()]);

/** The values of a field that a reader may filter by. */
export const EmbedFilterValues = z
  .strictObject({
    field: z.string(),
    label: z.string(),
    dataType: z.string(),
    control: z.enum(FILTER_CONTROLS),
    grain: z.string().optional(),
    values: z.array(z.strictObject({ value: OfferedValue, label: z.string() })),
    truncated: z.boolean().describe('Whether there are more values: search for the others.'),
    range: z.strictObject({ least: OfferedValue, greatest: OfferedValue }).optional().describe('Of numbers and dates.'),
  })
  .meta({ id: 'EmbedFilterValues' });

/** A dashboard's layout. What its tiles ask stays on the server. */
export const EmbedDashboardAnswer = z
  .strictObject({
    title: z.string(),
    description: z.string().optional(),
    layout: Layout,
    tiles: z.array(
      z.strictObject({
        id: z.string(),
        kind: z.string(),
        title: z.string().optional(),
        text: z.string().optional(),
        format: z.enum(['plain', 'markdown']).optional(),
        chartType: z.string().optional(),
        chart: ChartSettingsSchema.optional(),
        measure: z.string().optional(),
        field: z.string().optional().describe('Of a filter: the field whose values a reader chooses.'),
        drives: z
          .array(z.string())
          .optional()
          .describe('The ids of the tiles that a filter narrows, or a click in this tile.'),
        x: z.int(),
        y: z.int(),
        w: z.int(),
        h: z.int(),
      }),
    ),
  })
  .meta({ id: 'EmbedDashboardAnswer' });
export type EmbedDashboardAnswer = z.infer<typeof EmbedDashboardAnswer>;
