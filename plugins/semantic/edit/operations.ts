/** Operations on the documents of semantic models, for administrators. */
import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { NotFoundError } from '../../../router/errors.ts';
import { operation, operations } from '../../../router/operation.ts';
import { rememberingReader } from '../document-reader.ts';
import { lintDocument } from '../lint/lint-document.ts';
import { AGGREGATIONS } from '../model/aggregations.ts';
import type { Model } from '../model/model.ts';
import { documentOf } from '../model/read-document.ts';
import { checkJoin } from './check-join.ts';
import { describeDocument } from './describe-document.ts';
import { documentFacts } from './document-facts.ts';
import { lineDifference } from './line-difference.ts';
import { differenceOf, type EditingParts, nameOf, proposeChange } from './propose-change.ts';
import { saveChange } from './save-change.ts';
import {
  Id,
  JoinCheck,
  JoinEnds,
  MetricTrial,
  MetricTrialResult,
  ModelChange,
  ModelComparison,
  ModelDocument,
  ModelDocumentFacts,
  ModelDocumentListing,
  ModelHistory,
  ModelProposal,
  ModelUses,
  SavedModel,
} from './schemas.ts';
import { readContent, requestsOf } from './stored-requests.ts';
import { tryMetric } from './try-metric.ts';
import { usesOfModel } from './uses-of-model.ts';
import { type CarriedDocument, versionOf } from './versions.ts';

const BASE = '/rest/service/api/admin/models';
const CHOICE = 'The administration of model documents is an addition of this product.';

export function modelDocumentOperations(parts: EditingParts) {
  const { files, versions, catalogs } = parts;
  return operations({
    list: operation({
      summary: 'List the semantic models of the tenant with the states of their datasources',
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
      implementationChoice: CHOICE,
    })
      .output(z.array(ModelDocumentListing))
      .query(async ({ ctx }) => {
        const caller = userOf(ctx);
        return (await files.list(caller)).map(({ datasource, status, problems, updatedAtMillis }) => {
          const model = catalogs.of(caller.tenant).served(datasource.id)?.model;
          return {
            id: datasource.id,
            connection: datasource.name,
            model: model?.name ?? datasource.schema,
            description: model?.description,
            status,
            datasets: model?.datasets.size,
            metrics: model?.metrics.size,
            problems: problems.length,
            updatedAt: new Date(updatedAtMillis).toISOString(),
          };
        });
      }),

    read: operation({
      summary: 'Describe a model document: its elements, its problems and its source',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Id }))
      .output(ModelDocument)
      .query(async ({ ctx, input: { id } }) => {
        const caller = userOf(ctx);
        const file = await files.find(caller, id);
        const { datasource, status } = file;
        const text = await files.read(caller, file);
        const whyNot = await files.whyNot(caller, file);
        const warehouse = await catalogs.of(caller.tenant).open(datasource.warehouse);
        const served = catalogs.of(caller.tenant).served(id)?.model;
        const reader = rememberingReader(parts.reader);
        const document = documentOf(await reader.yaml(text), datasource.schema);
        const elements =
          'model' in document
            ? describeDocument(document.model, served, warehouse.dialect)
            : { synonyms: [], datasets: [], metrics: [], relationships: [] };
        const columns = await columnsOfTables(served, warehouse);
        const { problems } = await lintDocument(text, { model: datasource.schema, warehouse, reader });
        return {
          id,
          connection: datasource.name,
          model: 'model' in document ? document.model.name : (served?.name ?? datasource.schema),
          ...elements,
          datasets: elements.datasets.map((dataset) => ({ ...dataset, columns: columns.get(dataset.name) })),
          functions: Object.values(AGGREGATIONS).flatMap(({ written, says }) =>
            written.map((each) => ({ written: each, says })),
          ),
          status,
          version: versionOf(text),
          isEditable: whyNot === undefined,
          whyNot,
          text,
          problems: problems.map(problemView),
        };
      }),

    facts: operation({
      summary: 'Read rows, the latest dates and samples of the data of a model',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}/facts` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Id }))
      .output(ModelDocumentFacts)
      .query(async ({ ctx, input: { id }, signal }) => {
        const caller = userOf(ctx);
        await files.find(caller, id);
        const entry = catalogs.of(caller.tenant).served(id);
        if (entry === undefined) throw new NotFoundError('No version of this model is served.', { path: ['id'] });
        return documentFacts(entry, caller, parts, signal);
      }),

    uses: operation({
      summary: 'List the saved queries and tiles that ask a model, with the fields and metrics that each names',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}/uses` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Id }))
      .output(ModelUses)
      .query(async ({ ctx, input: { id } }) => {
        const caller = userOf(ctx);
        const file = await files.find(caller, id);
        const { documents, uncheckedCount } = await readContent(parts.repository, caller);
        const model = catalogs.of(caller.tenant).served(id)?.model.name ?? file.datasource.schema;
        if (model === undefined) return { uses: [], uncheckedDocuments: uncheckedCount };
        const requests = requestsOf(documents, nameOf(file, model, parts, caller));
        const uses = usesOfModel(requests, await parts.embedsOf(caller.tenant));
        return { uses: uses.map((use) => ({ ...use, names: [...use.names] })), uncheckedDocuments: uncheckedCount };
      }),

    tryMetric: operation({
      summary: 'Compute a metric of a draft for all data',
      description: 'Nothing is written. A formula that cannot be computed is answered with the reason in `refused`.',
      access: 'administrator',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/{id}/try`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(MetricTrial)
      .output(MetricTrialResult)
      .mutation(({ ctx, input, signal }) => tryMetric(input, userOf(ctx), parts, signal)),

    checkJoin: operation({
      summary: 'Count the rows that a relationship would lose or repeat',
      access: 'administrator',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/{id}/check-join`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(JoinEnds)
      .output(JoinCheck)
      .mutation(async ({ ctx, input: { id, ...ends }, signal }) => {
        const caller = userOf(ctx);
        await files.find(caller, id);
        const entry = catalogs.of(caller.tenant).served(id);
        if (entry === undefined) throw new NotFoundError('No version of this model is served.', { path: ['id'] });
        return checkJoin(ends, entry, parts, signal);
      }),

    propose: operation({
      summary: 'Show what a change of a model would do: the document, its problems, what breaks and what is renamed',
      description: 'Nothing is written. Each stored request is compiled for the model before and after the change.',
      access: 'administrator',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/{id}/propose`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(ModelChange)
      .output(ModelProposal)
      .mutation(async ({ ctx, input, signal }) => {
        const proposed = await proposeChange(input, userOf(ctx), parts, signal);
        return {
          version: versionOf(proposed.after),
          text: proposed.after,
          difference: differenceOf(proposed),
          problems: proposed.problems.map(problemView),
          isSavable: proposed.problems.every(({ severity }) => severity !== 'error'),
          breaks: proposed.breaks.map(({ roles, ...each }) => ({ ...each, ...(roles && { roles: [...roles] }) })),
          carried: proposed.carried.map(({ path }) => path),
          uncheckedDocuments: proposed.uncheckedCount,
        };
      }),

    save: operation({
      summary: 'Save a change of a model',
      description:
        'Writes the document with its comments, and the saved queries and dashboards that name renamed elements, all or none. A change of an earlier version is refused with 409, and so is a document that would not load, with 400.',
      access: 'administrator',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/{id}/save`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(ModelChange)
      .output(SavedModel)
      .mutation(async ({ ctx, input, signal }) => {
        const saved = await saveChange(input, userOf(ctx), parts, signal);
        return { ...saved, carried: [...saved.carried] };
      }),

    history: operation({
      summary: 'List the saved versions of a model document, the newest first',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}/history` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Id }))
      .output(ModelHistory)
      .query(async ({ ctx, input: { id } }) => {
        const caller = userOf(ctx);
        await files.find(caller, id);
        return (await versions.list(caller, id)).map(({ version, summary, user_name, created_at, carried }) => ({
          version,
          summary,
          ...(user_name === '' ? {} : { user: user_name }),
          createdAt: new Date(created_at).toISOString(),
          carried: (JSON.parse(carried) as readonly CarriedDocument[]).map(({ path }) => path),
        }));
      }),

    compare: operation({
      summary: 'Compare a saved version of a model document with the present one',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}/history/{version}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ id: Id, version: z.string().max(64) }))
      .output(ModelComparison)
      .query(async ({ ctx, input: { id, version } }) => {
        const caller = userOf(ctx);
        const file = await files.find(caller, id);
        const rows = await versions.list(caller, id);
        const row = rows.find((each) => each.version === version);
        if (row === undefined)
          throw new NotFoundError(`There is no version "${version}" of this model.`, {
            path: ['version'],
            available: rows.map((each) => each.version),
          });
        const text = await files.read(caller, file);
        return {
          from: version,
          to: versionOf(text),
          difference: lineDifference(row.text, text).map((line) => ({ ...line })),
        };
      }),
  });
}

/** Returns the columns of the datasets that are tables, by the name of the dataset. */
async function columnsOfTables(
  model: Model | undefined,
  warehouse: Warehouse,
): Promise<ReadonlyMap<string, string[] | undefined>> {
  const tables = [...(model?.datasets.values() ?? [])].flatMap(({ name, source }) =>
    source.kind === 'table' ? [{ name, table: source.table }] : [],
  );
  const lists = await warehouse.columnsByName(tables.map(({ table }) => table));
  return new Map(tables.map(({ name }, index) => [name, lists[index]?.map((column) => column.name)] as const));
}

function problemView({
  severity,
  message,
  line,
}: {
  severity: 'error' | 'warning';
  message: string;
  line?: number | undefined;
}) {
  return { severity, message, ...(line === undefined ? {} : { line }) };
}
