/** Converts levels and member properties to fields of the datasets that they are read from. */

import type { Cube, Dimension, Expression, Hierarchy, Level } from '../../cube/index.ts';
import { ansi, ExpressionError, identifier, type OsiField, serviceExtension } from '../../semantic/index.ts';
import { present } from '../conversion.ts';
import { freeName, slug } from './names.ts';
import type { SchemaSql } from './schema-sql.ts';
import type { Aliases, Star, StarDataset } from './star.ts';
import { type TimeLevel, timeLevels } from './time-levels.ts';

type Warn = (line: number, message: string) => void;

/** The columns that expressions name, by dataset. A field with such a name would hide the column. */
export type NamedColumns = ReadonlyMap<string, ReadonlySet<string>>;

export function addFields(cube: Cube, star: Star, columns: NamedColumns, sql: SchemaSql, warn: Warn): void {
  for (const dimension of cube.dimensions) {
    for (const hierarchy of dimension.hierarchies) {
      const aliases = star.hierarchy(hierarchy);
      if (aliases === undefined) {
        warn(hierarchy.line, `dimension ${dimension.name}: left out: no facts of the cube lead to it.`);
        continue;
      }
      if (!hierarchy.hasAll) {
        warn(
          hierarchy.line,
          `hierarchy ${hierarchy.uniqueName}: it has no all member, so the cube answers for its default member where a query names none; the document answers for all.`,
        );
      }
      const times = timeLevels(hierarchy, sql);
      for (const level of hierarchy.levels) {
        const time = times.get(level);
        if (time === undefined) addLevel(level, hierarchy, dimension, aliases);
        else if (time.isDate) addLevel({ ...level, description: time.description }, hierarchy, dimension, aliases);
        else addGrain(level, time, hierarchy, dimension, aliases);
      }
    }
  }

  function addLevel(level: Level, hierarchy: Hierarchy, dimension: Dimension, aliases: Aliases): void {
    if (level.parent !== undefined) {
      warn(
        level.line,
        `level ${level.name}: its members are parents of each other; the document knows each only for itself.`,
      );
    }
    const shown = level.captionExpression ?? level.nameExpression;
    const add = (draft: FieldDraft) => addField(draft, level.line, hierarchy, dimension, aliases);
    const { name, caption, description, visible, type } = level;
    add({
      name,
      caption,
      description,
      visible,
      expression: shown ?? level.key,
      type: shown === undefined ? type : 'String',
    });
    if (shown !== undefined) {
      add({ name: `${name} key`, caption: undefined, description: undefined, visible, expression: level.key, type });
    }
    for (const property of level.properties) add(property);
  }

  /**
   * Adds the date of a level that is a grain, in place of the level's own field. Other properties of the level stay fields.
   */
  function addGrain(level: Level, time: TimeLevel, hierarchy: Hierarchy, dimension: Dimension, aliases: Aliases): void {
    const { description, column } = time;
    if (column !== undefined) {
      const type = 'Timestamp';
      const date = { name: column.name, caption: undefined, description, visible: true, expression: column, type };
      addField(date, level.line, hierarchy, dimension, aliases);
    }
    for (const property of level.properties) addField(property, level.line, hierarchy, dimension, aliases);
  }

  function addField(
    draft: FieldDraft,
    line: number,
    hierarchy: Hierarchy,
    dimension: Dimension,
    aliases: Aliases,
  ): void {
    const { name, expression } = draft;
    const dataset = aliases.get(expression.table);
    const levelName = `level ${hierarchy.uniqueName}.[${name}]`;
    if (dataset === undefined) {
      warn(line, `${levelName}: left out: nothing leads to its table ${expression.table}.`);
      return;
    }
    try {
      const text = sql.expression(expression, (table, column) => {
        if (aliases.get(table) !== dataset) throw new ExpressionError(`reads ${table}.${column} of another table`);
        return identifier(column);
      });
      if (text === undefined) warn(line, `${levelName}: left out: its SQL is given for no dialect that is read here.`);
      else if (!dataset.fields.some((field) => isSame(field, text))) {
        dataset.fields.push(fieldOf(draft, text, dataset, [dimension.name, hierarchy.name]));
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      warn(line, `${levelName}: left out: its SQL ${error.message}.`);
    }
  }

  function fieldOf(draft: FieldDraft, text: string, dataset: StarDataset, owners: readonly string[]): OsiField {
    const { name, caption, description, visible, type } = draft;
    const [dimension = '', hierarchy = ''] = owners;
    const hides = (one: string) =>
      identifier(one) !== text && (dataset.keys.includes(one) || (columns.get(dataset.name)?.has(one) ?? false));
    const called = freeName(
      [slug(name), slug(`${hierarchy} ${name}`), slug(`${dimension} ${hierarchy} ${name}`)],
      (one) => hides(one) || dataset.fields.some((field) => field.name === one),
    );
    const extension = visible ? undefined : serviceExtension({ display: { hidden: true } });
    return present({
      name: called,
      label: caption ?? name,
      description,
      expression: ansi(text),
      dimension: ['Date', 'Time', 'Timestamp'].includes(type) ? { is_time: true } : undefined,
      ai_context: name.toLowerCase() === called ? undefined : { synonyms: [name] },
      custom_extensions: extension === undefined ? undefined : [extension],
    });
  }
}

interface FieldDraft {
  readonly name: string;
  readonly caption: string | undefined;
  readonly description: string | undefined;
  readonly visible: boolean;
  readonly expression: Expression;
  readonly type: string;
}

/** Returns whether a field has this expression: several levels of one column are one field. */
function isSame({ expression }: OsiField, text: string): boolean {
  return expression.dialects[0]?.expression === text;
}
