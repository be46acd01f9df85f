/** Describes the elements of a model document for people who edit it. */

import { readAiContext, readExtensions } from '../model/extensions.ts';
import type { Model } from '../model/model.ts';
import type { FieldElement, MetricElement, ModelElement } from '../model/read-document.ts';
import { chooseDialect, type Engine } from '../model/sql-texts.ts';
import type { ModelDocument } from './schemas.ts';

type Elements = Pick<
  ModelDocument,
  'description' | 'synonyms' | 'instructions' | 'datasets' | 'metrics' | 'relationships'
>;

/** @param served the model that queries use; `undefined` where none is served */
export function describeDocument(model: ModelElement, served: Model | undefined, engine: Engine): Elements {
  const { synonyms, instructions } = readAiContext(model.ai_context);
  return {
    description: model.description,
    synonyms: [...synonyms],
    instructions,
    datasets: model.datasets.map((dataset) => {
      const { pii, rowPredicates, time } = readExtensions(dataset, dataset.custom_extensions);
      const fields = served?.datasets.get(dataset.name)?.fields;
      return {
        ...textsOf(dataset),
        label: dataset.label,
        source: dataset.source,
        primaryKey: dataset.primary_key ?? [],
        personal: pii === true,
        mainDate: time.main,
        rowPredicates: { ...rowPredicates },
        fields: (dataset.fields ?? []).map((field) => {
          const facts = readExtensions(field, field.custom_extensions);
          return {
            ...shownOf(field, engine),
            personal: facts.pii ?? pii === true,
            valueType: fields?.get(field.name)?.type,
            type: fields?.get(field.name)?.nativeType,
            isTime: field.dimension?.is_time ?? false,
          };
        }),
      };
    }),
    metrics: (model.metrics ?? []).map((metric) => ({
      ...shownOf(metric, engine),
      filter: readExtensions(metric, metric.custom_extensions).kinds.filter,
      isServed: served?.metrics.has(metric.name) ?? false,
    })),
    relationships: (model.relationships ?? []).map((relationship) => ({
      name: relationship.name,
      label: readExtensions(relationship, relationship.custom_extensions).display.caption ?? relationship.label,
      from: relationship.from,
      to: relationship.to,
      fromColumns: relationship.from_columns,
      toColumns: relationship.to_columns,
    })),
  };
}

function textsOf({ name, description, ai_context }: Pick<FieldElement, 'name' | 'description' | 'ai_context'>) {
  const { synonyms, instructions } = readAiContext(ai_context);
  return { name, description, synonyms: [...synonyms], instructions };
}

function shownOf(element: FieldElement | MetricElement, engine: Engine) {
  const { display, roles } = readExtensions(element, element.custom_extensions);
  const { dialects } = element.expression;
  return {
    ...textsOf(element),
    label: display.caption ?? element.label,
    expression: (chooseDialect(dialects, engine) ?? dialects[0])?.expression ?? '',
    format: display.format,
    unit: display.unit,
    hidden: display.hidden,
    ...(roles.allow === undefined ? {} : { allow: [...roles.allow] }),
    deny: [...roles.deny],
  };
}
