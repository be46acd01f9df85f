/** Requests and answers of the operations on model documents. */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { MAX_DOCUMENT_LENGTH } from '../limits.ts';
import { BREAK_KINDS } from './breakage.ts';
import { Edits } from './edits.ts';
import { STORED_REQUEST_KINDS } from './stored-requests.ts';

/** The most columns of a join. */
const MAX_JOIN_COLUMNS = 16;

const Problem = z.object({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  line: z.int().optional().describe('The line in the document.'),
});

export const ModelDocumentListing = z.object({
  id: z.string().describe('The id of the datasource that serves the model.'),
  connection: z.string(),
  model: z.string().optional().describe('Absent where no version of it has been loaded.'),
  description: z.string().optional(),
  status: z.string(),
  datasets: z.int().optional(),
  metrics: z.int().optional(),
  problems: z.int().describe('The number of its problems.'),
  updatedAt: z.string(),
});

const described = {
  name: z.string(),
  label: z.string().optional(),
  description: z.string().optional(),
  synonyms: z.array(z.string()),
  instructions: z.string().optional(),
} as const;
const shown = {
  expression: z.string(),
  format: z.string().optional(),
  unit: z.string().optional(),
  hidden: z.boolean(),
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()),
} as const;

const FieldElement = z.object({
  ...described,
  ...shown,
  personal: z.boolean(),
  valueType: z.string().optional().describe('The kind of its values: `text`, `integer`, `date` and the like.'),
  type: z.string().optional().describe('The type of its values; absent where no query can use the field.'),
  isTime: z.boolean(),
});
const DatasetElement = z.object({
  ...described,
  source: z.string(),
  columns: z.array(z.string()).optional().describe('The columns of its table; absent for a query.'),
  primaryKey: z.array(z.string()),
  personal: z.boolean(),
  mainDate: z.string().optional(),
  rowPredicates: z.record(z.string(), z.string()),
  fields: z.array(FieldElement),
});
const MetricElement = z.object({
  ...described,
  ...shown,
  filter: z.string().optional(),
  isServed: z.boolean().describe('False where no query can use the metric; `problems` has the reason.'),
});
const RelationshipElement = z.object({
  name: z.string(),
  label: z.string().optional(),
  from: z.string(),
  to: z.string(),
  fromColumns: z.array(z.string()),
  toColumns: z.array(z.string()),
});

export const ModelDocument = z.object({
  id: z.string(),
  connection: z.string(),
  model: z.string().optional(),
  description: z.string().optional(),
  synonyms: z.array(z.string()),
  instructions: z.string().optional(),
  status: z.string(),
  version: z.string().describe('Identifies the text; a save names it.'),
  isEditable: z.boolean(),
  whyNot: z.string().optional().describe('The reason why it cannot be edited here.'),
  text: z.string().describe('The source of the document.'),
  datasets: z.array(DatasetElement),
  metrics: z.array(MetricElement),
  relationships: z.array(RelationshipElement),
  problems: z.array(Problem).describe('Problems of the document, as `service validate` reports them.'),
  functions: z
    .array(z.object({ written: z.string(), says: z.string() }))
    .describe('The aggregate functions of formulas.'),
});
export type ModelDocument = z.output<typeof ModelDocument>;

export const ModelDocumentFacts = z.object({
  dataVersion: z.string().optional().describe('Changes with the data; absent where the warehouse reports none.'),
  datasets: z.array(
    z.object({
      name: z.string(),
      rows: z.number().optional().describe('The number of its rows; absent where it could not be counted.'),
      latest: z.string().optional().describe('The latest value of its main date.'),
      fields: z.array(
        z.object({
          name: z.string(),
          samples: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
          distinct: z.number().optional(),
        }),
      ),
    }),
  ),
});

export const Id = Name.min(1).describe('The id of the datasource.');

export const ModelChange = z
  .strictObject({
    id: Id,
    version: z.string().max(64).describe('The version that the change was made from.'),
    edits: Edits.optional().describe('Edits in their order.'),
    text: z.string().max(MAX_DOCUMENT_LENGTH).optional().describe('The whole document, in place of edits.'),
    restore: z.string().max(64).optional().describe('An earlier version to go back to, in place of edits.'),
  })
  .superRefine(({ edits, text, restore }, context) => {
    const given = [edits, text, restore].filter((each) => each !== undefined);
    if (given.length !== 1)
      context.addIssue({
        code: 'custom',
        path: ['edits'],
        message: 'Give one of `edits`, `text` and `restore`.',
        input: edits,
      });
  });
export type ModelChange = z.output<typeof ModelChange>;

const Break = z.object({
  kind: z.enum(BREAK_KINDS),
  path: z.string().describe('The document; of a certified answer, the name of the model.'),
  title: z.string(),
  tile: z.string().optional(),
  id: z.string().optional().describe('The id of a token or a grant.'),
  field: z.string().optional().describe('The place in the request.'),
  message: z.string(),
  roles: z.array(z.string()).optional().describe('The roles that it breaks for; absent for everybody.'),
});

const Difference = z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string(), line: z.int() }));

export const ModelProposal = z.object({
  version: z.string().describe('The version that a save would make.'),
  text: z.string(),
  difference: Difference.describe('The changed lines, with lines around them.'),
  problems: z.array(Problem),
  isSavable: z.boolean().describe('False where a problem is an error.'),
  breaks: z.array(Break).describe('Everything that is answered now and would not be after the change.'),
  carried: z.array(z.string()).describe('Documents that a save changes, too, so that renamed elements are found.'),
  uncheckedDocuments: z.int().describe('Documents that were not checked because there are too many.'),
});

export const MetricTrial = z.strictObject({
  id: Id,
  version: z.string().max(64).describe('The version that the draft was made from.'),
  edits: Edits.optional().default([]).describe('The edits of the draft.'),
  metric: Name.min(1),
});
export type MetricTrial = z.output<typeof MetricTrial>;

export const MetricTrialResult = z.object({
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional().describe('Its value for all data.'),
  formatted: z.string().optional().describe('The value as answers show it.'),
  refused: z.string().optional().describe('The reason why the draft has no such value.'),
});

export const JoinEnds = z.strictObject({
  id: Id,
  from: Name.min(1),
  to: Name.min(1),
  fromColumns: list(Name.min(1), MAX_JOIN_COLUMNS).min(1),
  toColumns: list(Name.min(1), MAX_JOIN_COLUMNS).min(1),
});

export const JoinCheck = z.object({
  rows: z.int().describe('Rows of `from`.'),
  emptyKeys: z.int().describe('Rows of `from` with an empty key.'),
  withoutPartner: z.int().describe('Rows of `from` with a key that `to` does not have.'),
  repeatedKeys: z.int().describe('Keys that more than one row of `to` has.'),
});

export const ModelUses = z.object({
  uses: z.array(
    z.object({
      kind: z.enum(STORED_REQUEST_KINDS),
      path: z.string(),
      title: z.string(),
      tile: z.string().optional(),
      names: z.array(z.string()).describe('The fields, as `dataset.field`, and the metrics that it names.'),
      embeds: z.int().describe('Active tokens and public grants that open the document.'),
    }),
  ),
  uncheckedDocuments: z.int().describe('Documents that were not read because there are too many.'),
});

export const SavedModel = z.object({ version: z.string(), status: z.string(), carried: z.array(z.string()) });

export const ModelHistory = z.array(
  z.object({
    version: z.string(),
    summary: z.string(),
    user: z.string().optional(),
    createdAt: z.string(),
    carried: z.array(z.string()),
  }),
);

export const ModelComparison = z.object({ from: z.string(), to: z.string(), difference: Difference });
