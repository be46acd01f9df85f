import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, rowsThatDiffer, type Sql, type SqlPart } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import { leavesOf } from '../../schema/relation-leaves.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Hierarchy } from '../metadata/member.ts';
import { AggregateSource } from './aggregate-source.ts';
import { aggregateSql } from './cell-statement.ts';
import { whereClause } from './clauses.ts';
import { FactFrom } from './fact-from-clause.ts';

/**
 * Returns the statements that have a row if an aggregate table has other groups or values than the facts.
 *
 * The first one groups the facts as queries do, and the second one keeps facts without a row in the tables of a hierarchy.
 * Only where both agree do totals over that hierarchy agree, too: they contain such facts, and its members do not.
 */
export function agreementStatements(
  dialect: Dialect,
  table: model.AggregateTable,
  { group, measures }: AggregatedFacts,
): readonly Statement[] {
  const source = new AggregateSource(table, group);
  const whole = new FactFrom(dialect, group);
  whole.from.keepRows();
  const select = (facts: FactFrom) => groups(facts, table, { group, measures });
  return [new FactFrom(dialect, group), whole].map((facts) =>
    rowsThatDiffer(select(facts), select(new FactFrom(dialect, group, source)), dialect).print(dialect),
  );
}

/** A measure group with its measures. */
export interface AggregatedFacts {
  readonly group: FactGroup;
  readonly measures: readonly model.Measure[];
}

/** Writes the query of all groups of an aggregate table with its values, from the facts or from the table. */
function groups(facts: FactFrom, table: model.AggregateTable, { group, measures }: AggregatedFacts): Sql {
  const [{ alias }] = leavesOf(group.model.fact);
  const ofLevels = table.levels.flatMap((level) => {
    const hierarchy = group.hierarchies.find(({ uniqueName }) => uniqueName === level.hierarchy);
    if (hierarchy === undefined || !group.reaches(hierarchy)) return [];
    return facts.expressions(hierarchy, level.isKeyAlone ? keysDownTo(hierarchy, level) : [level.key]);
  });
  const ofKeys = table.keys.map(({ factColumn, column }) => {
    const ofFacts: model.ColumnExpression = { kind: 'column', table: alias, name: factColumn, line: column.line };
    return facts.fact.sql(facts.aggregate === undefined ? ofFacts : column);
  });
  const keys = [...ofLevels, ...ofKeys];
  const values = table.measures.flatMap(({ measure: name }) => {
    const measure = measures.find((each) => each.name === name);
    return measure === undefined ? [] : [aggregateSql(facts.dialect, measure, facts)];
  });
  const columns = [...keys, ...values].map((column, index) => `${column} AS c${index}`);
  const clauses: readonly SqlPart[] = [
    `SELECT ${columns.join(', ')} FROM ${facts.from.text}`,
    ...whereClause(facts.from.conditions),
    ...(keys.length === 0 ? [] : [`GROUP BY ${keys.join(', ')}`]),
  ];
  return joinSql(clauses, ' ');
}

/** Returns the keys of a level and of all levels above it: a member of a level has one parent. */
function keysDownTo({ levels }: Hierarchy, { level: name }: model.AggregateLevel): readonly model.Expression[] {
  const lowest = levels.findIndex((level) => level.name === name);
  return levels.slice(0, lowest + 1).flatMap(({ model: of }) => of?.key ?? []);
}
