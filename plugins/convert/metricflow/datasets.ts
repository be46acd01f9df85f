/** Converts dbt semantic models to datasets and relationships of the document. */

import {
  ansi,
  ExpressionError,
  identifier,
  namesIn,
  type OsiDataset,
  type OsiExtension,
  type OsiField,
  type OsiRelationship,
  rewrite,
  serviceExtension,
} from '../../semantic/index.ts';
import { type ConversionProblem, present } from '../conversion.ts';
import { mainDateOf } from './main-date.ts';
import type { Project } from './project.ts';
import type { Entity, Measure, Metric, SemanticModel } from './read.ts';

/** The name of a table in the warehouse, by the dbt model's or source's name. */
export type RelationNames = (model: string) => string;

export function convertDatasets(
  project: Project,
  relations: RelationNames,
  problems: ConversionProblem[],
): readonly OsiDataset[] {
  return project.models.map((model) => {
    const { name, label, description } = model;
    const keys = (type: Entity['type']) =>
      (model.entities ?? []).filter((entity) => entity.type === type).flatMap((one) => project.column(one) ?? []);
    for (const dimension of model.dimensions ?? []) {
      if (dimension.type_params?.validity_params === undefined) continue;
      const message = `semantic model ${name}, ${dimension.name}: rows that are valid for a time (validity_params) are joined by their key alone, for which the document has no element: filter them in a view.`;
      problems.push({
        severity: 'warning',
        file: model.file,
        line: model.lineOf('dimensions', dimension.name),
        message,
      });
    }
    const main = mainDateOf(model, project);
    const vendorBlock = serviceExtension({ time: main === undefined ? undefined : { main } });
    const partition = project.partition(model);
    return present({
      name,
      source: relations(model.model),
      // In a table that is partitioned by dates, a key is unique only within a day.
      primary_key: keys('primary')
        .slice(0, 1)
        .flatMap((key) => (partition === undefined || partition === key ? [key] : [key, partition])),
      unique_keys: keys('unique').map((column) => [column]),
      description,
      // A dataset has no label in OSI, so its label becomes a synonym.
      ai_context: label === undefined || label === name ? undefined : { synonyms: [label] },
      fields: fieldsOf(model, project, problems),
      custom_extensions: [...(vendorBlock === undefined ? [] : [vendorBlock]), ...extensionsOf(model)],
    });
  });
}

type Described = Pick<Metric, 'meta' | 'config'>;

/** Keeps the project's `meta` unchanged, so that marks of personal data in it apply. */
export function vendorExtension({ meta, config }: Described): OsiExtension | undefined {
  const dbtMeta = { ...meta, ...config?.meta };
  return Object.keys(dbtMeta).length === 0
    ? undefined
    : { vendor_name: 'DBT', data: JSON.stringify({ meta: dbtMeta }) };
}

function extensionsOf(element: Described): readonly OsiExtension[] {
  const extension = vendorExtension(element);
  return extension === undefined ? [] : [extension];
}

/** Lists entities, dimensions and measures as fields, in this order. */
function fieldsOf(model: SemanticModel, project: Project, problems: ConversionProblem[]): readonly OsiField[] {
  const names = new Set<string>();
  const add = (
    list: 'entities' | 'dimensions' | 'measures',
    element: Pick<Measure, 'name' | 'label' | 'description' | 'expr' | 'meta' | 'config'>,
    isTime: boolean | undefined,
  ): readonly OsiField[] => {
    const { name, label, description, expr } = element;
    const warn = (message: string) =>
      problems.push({
        severity: 'warning',
        file: model.file,
        line: model.lineOf(list, name),
        message: `semantic model ${model.name}, ${name}: left out: ${message}.`,
      });
    if (names.has(name)) {
      warn('the name is used twice');
      return [];
    }
    const expression = fieldExpression(expr ?? name, project, warn);
    if (expression === undefined) return [];
    names.add(name);
    return [
      present({
        name,
        label,
        description,
        expression: ansi(expression),
        dimension: isTime === undefined ? undefined : { is_time: isTime },
        custom_extensions: extensionsOf(element),
      }),
    ];
  };
  return [
    ...(model.entities ?? []).flatMap((entity) => add('entities', entity, undefined)),
    ...(model.dimensions ?? []).flatMap((one) => add('dimensions', one, one.type === 'time')),
    // A measure of a constant does not become a field, because there is nothing to show or to group by.
    ...(model.measures ?? [])
      .filter(({ expr, name }) => !isConstant(expr ?? name, project))
      .flatMap((measure) => add('measures', measure, undefined)),
  ];
}

function isConstant(text: string, project: Project): boolean {
  try {
    return namesIn(text, project.dialect).length === 0;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function fieldExpression(text: string, project: Project, warn: (message: string) => void): string | undefined {
  try {
    const rewritten = rewrite(text, project.dialect, ({ name }) => identifier(name));
    // ANSI SQL needs no translation.
    return project.dialect === 'generic' ? text.trim() : rewritten;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    warn(`its expression ${error.message}`);
    return undefined;
  }
}

/**
 * Returns a relationship for every pair of datasets that share an entity, by the column of each. The entity must be a key
 * on the far side: two foreign sides would join many rows to many.
 */
export function convertRelationships(project: Project, problems: ConversionProblem[]): readonly OsiRelationship[] {
  const sides = project.models.flatMap((model) =>
    (model.entities ?? []).flatMap((entity) => {
      if (entity.type === 'natural') {
        warn(model, entity, 'is a natural entity, of which no relationship is made');
        return [];
      }
      const column = project.column(entity);
      if (column === undefined) warn(model, entity, 'is an expression, of which no key and no relationship is made');
      return column === undefined ? [] : [{ model, entity, column }];
    }),
  );
  return sides.flatMap((one, index) =>
    sides.slice(index + 1).flatMap((other): readonly OsiRelationship[] => {
      if (one.entity.name !== other.entity.name || one.model === other.model) return [];
      // A relationship leads to the side with the primary key; with two equal keys, to the first side.
      const [to, from] = RANK[one.entity.type] <= RANK[other.entity.type] ? [one, other] : [other, one];
      if (to.entity.type === 'foreign') return [];
      return [
        {
          name: `${from.model.name}__${to.model.name}__${to.entity.name}`,
          from: from.model.name,
          to: to.model.name,
          ...columnsOf(from, to),
        },
      ];
    }),
  );

  /** Returns the columns of a join; two tables that are partitioned by dates are joined day by day. */
  function columnsOf(from: Side, to: Side) {
    const [fromDay, toDay] = [project.partition(from.model), project.partition(to.model)];
    if (fromDay === undefined || toDay === undefined) return { from_columns: [from.column], to_columns: [to.column] };
    return { from_columns: [from.column, fromDay], to_columns: [to.column, toDay] };
  }

  function warn(model: SemanticModel, { name }: Entity, message: string): void {
    problems.push({
      severity: 'warning',
      file: model.file,
      line: model.lineOf('entities', name),
      message: `semantic model ${model.name}, entity ${name}: it ${message}.`,
    });
  }
}

interface Side {
  readonly model: SemanticModel;
  readonly column: string;
}

const RANK: Readonly<Record<Entity['type'], number>> = { primary: 0, unique: 1, foreign: 2, natural: 3 };
