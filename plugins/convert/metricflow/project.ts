/** Resolves the references between elements of a dbt project: the columns of entities, and the dataset of a name. */
import { columnOf, ExpressionError } from '../../semantic/index.ts';
import type { Dimension, Entity, Measure, SemanticModel } from './read.ts';

/** The reason why a metric cannot be converted; `message` continues "left out: ". */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export interface Owned<Element> {
  readonly model: SemanticModel;
  readonly element: Element;
}

export class Project {
  readonly models: readonly SemanticModel[];
  /** The SQL dialect that expressions are written in. */
  readonly dialect: string;
  readonly periods: readonly string[];

  /** @param periods names of the project's custom grains, which become periods of a calendar in the document */
  constructor(models: readonly SemanticModel[], dialect: string, periods: readonly string[]) {
    this.models = models;
    this.periods = periods;
    this.dialect = dialect;
  }

  /** Finds a measure by its name, which is unique in a project. */
  measure(name: string): Owned<Measure> | undefined {
    for (const model of this.models) {
      const element = model.measures?.find((one) => one.name === name);
      if (element !== undefined) return { model, element };
    }
    return undefined;
  }

  /** Returns the column of an entity or a dimension; `undefined` where it is computed. */
  column({ name, expr }: Pick<Entity, 'name' | 'expr'>): string | undefined {
    try {
      return columnOf(expr ?? name, this.dialect);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  /** Returns the column of the primary entity, which identifies a row; `undefined` without one. */
  keyColumn(model: SemanticModel): string | undefined {
    const primary = model.entities?.find(({ type }) => type === 'primary');
    return primary === undefined ? undefined : this.column(primary);
  }

  /**
   * Finds a dimension along a path of entities (such as `order` or `order__customer`) from a measure's semantic model.
   * Without entities, the dimension belongs to the model itself.
   */
  dimension(from: SemanticModel, entities: readonly string[], name: string): Owned<Dimension> {
    return this.#reach(from, entities, name, (model) => model.dimensions?.find((one) => one.name === name));
  }

  /** Returns the column of dates by which a table is partitioned (`is_partition`); `undefined` for none. */
  partition({ dimensions = [] }: SemanticModel): string | undefined {
    const marked = dimensions.filter(
      ({ type, is_partition: isPartition, type_params: parameters }) =>
        type === 'time' && (isPartition === true || parameters?.is_partition === true),
    );
    const [only, ...others] = marked;
    return only === undefined || others.length > 0 ? undefined : this.column(only);
  }

  /** Returns the date by which a measure is aggregated, which dbt calls its `metric_time`. */
  timeOf({ model, element: { agg_time_dimension: own } }: Owned<Measure>): Dimension | undefined {
    const dateName = own ?? model.defaults?.agg_time_dimension;
    return model.dimensions?.find(({ name }) => name === dateName);
  }

  entity(from: SemanticModel, entities: readonly string[], name: string): Owned<Entity> {
    return this.#reach(from, entities, name, (model) => model.entities?.find((one) => one.name === name));
  }

  #reach<Element>(
    from: SemanticModel,
    entities: readonly string[],
    name: string,
    find: (model: SemanticModel) => Element | undefined,
  ): Owned<Element> {
    const entity = entities.at(-1);
    const isOwn = entity === undefined || primaryName(from) === entity;
    const element = isOwn ? find(from) : undefined;
    if (element !== undefined) return { model: from, element };
    const reached = this.models.flatMap((model): readonly Owned<Element>[] => {
      const dimension = find(model);
      const holds = model.entities?.some(
        ({ name: one, type }) => one === entity && (type === 'primary' || type === 'unique'),
      );
      return dimension !== undefined && holds ? [{ model, element: dimension }] : [];
    });
    const [one, other] = reached;
    const path = [...entities, name].join('__');
    if (one === undefined) throw new LeftOut(`its filter names ${path}, which no semantic model has`);
    if (other !== undefined) {
      const models = reached.map(({ model }) => model.name).join(' and ');
      throw new LeftOut(`its filter names ${path}, which ${models} have`);
    }
    return one;
  }
}

/** Returns the entity that prefixes a model's own dimensions: `order__status`. */
function primaryName(model: SemanticModel): string | undefined {
  return model.primary_entity ?? model.entities?.find(({ type }) => type === 'primary')?.name;
}
