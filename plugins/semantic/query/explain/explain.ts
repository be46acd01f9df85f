/** Describes a plan in words: at which grain each metric is computed, over which paths, and how no row is counted twice. */

import { plural } from '../../../../router/plural.ts';
import { rollupStep } from '../../../query-surface/index.ts';
import type { Model, RowFilter } from '../../model/model.ts';
import type { PlanView } from '../../schemas.ts';
import { type Comparison, describeTarget } from '../nodes/comparison.ts';
import type { Compiled } from '../nodes/compiled.ts';
import { placedAmongsOf, placesOf, semiJoinsOf, testsOf } from '../nodes/conditions.ts';
import { fieldKey } from '../nodes/field-key.ts';
import type { FactSubquery, JoinTree, MetricTest, Plan } from '../nodes/plan.ts';
import type { Junction } from '../nodes/resolved-query.ts';
import { describeConditions, describeGrain, describePairs } from './describe.ts';

type PlanPart = PlanView['metrics'][number]['parts'][number];

export function explain({ plan, comparisons }: Pick<Compiled, 'plan' | 'comparisons'>, model: Model): PlanView {
  const grain = plan.groups.map(fieldKey);
  const metrics = plan.metrics.map(({ metric, aggregation, aggregates }) => {
    const subqueries = [...new Set(aggregates.map(({ subquery }) => subquery))];
    return {
      metric: metric.name,
      aggregation: aggregation ?? metric.aggregationKind,
      parts: subqueries.flatMap((index) => plan.subqueries[index] ?? []).map(explainSubquery),
    };
  });
  const by = grain.length === 0 ? 'over everything' : `by ${grain.join(', ')}`;
  const [only] = plan.subqueries;
  const steps = [
    ...(metrics.length === 0 && only !== undefined
      ? [`Distinct combinations of ${grain.join(', ')} from ${sentence(explainSubquery(only))}.`]
      : metrics.map(({ metric, aggregation, parts }) => {
          return `${metric}: ${aggregation} ${by} of ${parts.map(sentence).join('; and of ')}.`;
        })),
    ...(plan.subqueries.length > 1
      ? [`Each dataset is aggregated by itself; the results are then put side by side, so none multiplies another.`]
      : []),
    ...grainSteps(plan),
    ...calendarSteps(plan),
    ...junctionSteps(plan),
    ...amongSteps(plan),
    ...havingSteps(plan),
    ...restrictedSteps(plan, model),
    ...crosstabSteps(plan),
    ...fillSteps(plan),
    ...kindSteps(plan),
    ...rollupSteps(plan),
    ...offsetSteps(plan),
    ...comparisons.map(({ comparison }) => comparisonStep(comparison, plan)),
    ...maskingSteps(plan),
  ];
  return { grain, metrics, steps };
}

/** Explains how filters combine, where not all of them must pass. */
function junctionSteps({ conditions }: Plan): readonly string[] {
  if (conditions.every(({ kind }) => kind === 'filter')) return [];
  return [`Rows pass where these filters pass: ${describeConditions(conditions, fieldKey)}.`];
}

/** Explains the effects of metric kinds that are not in their expressions. */
function kindSteps({ metrics }: Plan): readonly string[] {
  const sentences = metrics.flatMap(({ metric: { name, kinds, kindsOfParts } }) => [
    ...kinds.map(({ says }) => `${name} ${says}.`),
    ...kindsOfParts.map(({ says }) => `A part of ${name} ${says}.`),
  ]);
  return [...new Set(sentences)];
}

/** Explains the days at which rows are shown where tables define the periods. */
function offsetSteps({ subqueries }: Plan): readonly string[] {
  const sentences = subqueries.flatMap(({ spread, windowed }) => {
    const moved = windowed?.moved;
    const pairs = moved?.kind === 'pairs' ? moved.pairs : spread && 'pairs' in spread.by ? spread.by.pairs : undefined;
    return pairs === undefined ? [] : [`${describePairs(pairs)}.`];
  });
  return [...new Set(sentences)];
}

/** Explains which periods are answered without facts. */
function fillSteps({ fill, groups }: Plan): readonly string[] {
  const place = fill === undefined ? undefined : groups[fill.group];
  if (fill === undefined || place === undefined) return [];
  const others = groups.filter((_, index) => !fill.dates.includes(index)).map(fieldKey);
  const beside = fill.dates.flatMap((index) => (index === fill.group ? [] : (groups[index] ?? []))).map(fieldKey);
  const pairs = beside.length === 0 ? '' : `, beside each ${beside.join(', ')} that shares a day with it`;
  const each = others.length === 0 ? '' : `, for each ${others.join(', ')} that appears`;
  const empty = fill.zero ? 'counts and sums are 0 and other metrics null' : 'metrics are null';
  return [
    `Every ${fieldKey(place)} from the first to the last is answered${pairs}${each}; where there is no row, ${empty}.`,
  ];
}

function comparisonStep({ compare, axis, date, shift, values }: Comparison, { groups, metrics }: Plan): string {
  const names = values.flatMap((index) => metrics[index]?.metric.name ?? []).join(', ');
  const count = Math.abs(shift.count);
  const unit = shift.unit === 'period' ? shift.table.name : shift.unit;
  const steps = `${count} ${plural(count, unit)} ${shift.count < 0 ? 'earlier' : 'later'}`;
  const group = axis === undefined ? undefined : groups[axis];
  const when = group === undefined ? `the days that filters of ${fieldKey(date)} name` : `each ${fieldKey(group)}`;
  return `${names} is compared with what it was ${steps} (${describeTarget(compare.to)}): ${when} is computed again for that time, null where it has no rows.`;
}

/** Explains the filters on rows by metrics of other groups, and how these groups are computed. */
function amongSteps({ subqueries }: Plan): readonly string[] {
  const amongs = subqueries.flatMap(({ where }) => placedAmongsOf(where));
  const sentences = amongs.map(({ places, plan: inner }) => {
    const by = places.map(fieldKey).join(', ');
    const parts = inner.subqueries.map((subquery) => sentence(explainSubquery(subquery)));
    const tested = describeTests(inner.having, metricNames(inner));
    return `Rows pass whose ${by} has a ${tested} that passes its filter, computed by ${by} of ${parts.join('; and of ')}; other filters of the query do not apply there.`;
  });
  return [...new Set(sentences)];
}

/** Explains the filters on the groups of the answer. */
function havingSteps(plan: Plan): readonly string[] {
  const { having, suppression } = plan;
  if (having.length === 0) return [];
  const masked = suppression === undefined ? '' : ', unless they are masked';
  return [`Groups are answered where ${describeTests(having, metricNames(plan))} passes its filter${masked}.`];
}

/** Explains which roll-ups are read in place of datasets, and why others are not. */
function rollupSteps({ subqueries }: Plan): readonly string[] {
  const sentences = subqueries.flatMap(({ base, rolledUp }) => {
    if (rolledUp === undefined) return [];
    const { rollup, table, use, failure } = rolledUp;
    const step = rollupStep(use, base, `the roll-up ${rollup} (table ${table})`);
    return [failure === undefined ? step : `${step} The last refresh of ${rollup} failed: ${failure}`];
  });
  return [...new Set(sentences)];
}

function metricNames({ metrics, hiddenMetrics }: Plan): readonly string[] {
  return [...metrics, ...hiddenMetrics].map(({ metric }) => metric.name);
}

function describeTests(tests: readonly MetricTest[], names: readonly string[], junction: Junction = 'all'): string {
  return tests
    .map((one) => {
      if (one.kind === 'test') return names[one.metric];
      const inner = describeTests(one.of, names, one.kind);
      return one.of.length === 1 ? inner : `(${inner})`;
    })
    .join(junction === 'any' ? ' or ' : ' and ');
}

/** Explains the expression that replaces a date at a grain. */
function grainSteps({ groups, conditions }: Plan): readonly string[] {
  const sentences = [...groups, ...placesOf(conditions)].flatMap((place) =>
    place.grain === undefined ? [] : [`${fieldKey(place)} is ${describeGrain(place.grain)}.`],
  );
  return [...new Set(sentences)];
}

/** Explains the dates that the calendar's date represents. */
function calendarSteps({ groups, conditions, subqueries }: Plan): readonly string[] {
  const [place] = [...groups, ...placesOf(conditions)].filter(({ calendar }) => calendar !== undefined);
  if (place?.calendar === undefined) return [];
  const { mainDates } = place.calendar;
  const dates = [...new Set(subqueries.map(({ base }) => base))].flatMap((base) => {
    const field = mainDates.get(base);
    return field === undefined ? [] : [`${field.dataset}.${field.name} for ${base}`];
  });
  return [`${place.field.dataset}.${place.field.name} is ${dates.join(' and ')}.`];
}

function explainSubquery({ base, tree, distinct, where }: FactSubquery): PlanPart {
  return {
    dataset: base,
    paths: pathsOf(tree),
    filteredBy: [...new Set(testsOf(where).map(fieldKey))],
    keptByMatch: semiJoinsOf(where).flatMap((semiJoin) => testsOf(semiJoin.where).map(fieldKey)),
    distinctBy: distinct === undefined ? [] : distinct.key.map((column) => `${base}.${column}`),
  };
}

function pathsOf({ bridge, joins }: JoinTree): string[] {
  return [
    ...bridge.map(({ parent, node, relationship }) => `${parent.dataset} ← ${node.dataset} (${relationship})`),
    ...joins.map(({ parent, node, relationship }) => `${parent.dataset} → ${node.dataset} (${relationship})`),
  ];
}

function sentence({ dataset, paths, filteredBy, keptByMatch, distinctBy }: PlanPart): string {
  return [
    `the rows of ${dataset}`,
    ...(paths.length === 0 ? [] : [`joined along ${paths.join(', ')}`]),
    ...(filteredBy.length === 0 ? [] : [`filtered by ${filteredBy.join(', ')}`]),
    ...(keptByMatch.length === 0 ? [] : [`kept where a related row passes ${keptByMatch.join(', ')}`]),
    ...(distinctBy.length === 0 ? [] : [`each counted once in a group, distinguished by ${distinctBy.join(', ')}`]),
  ].join(', ');
}

function restrictedSteps({ subqueries }: Plan, model: Model): readonly string[] {
  return [...new Set(subqueries.flatMap(readBy))].flatMap((name) => {
    const rowFilter = model.datasets.get(name)?.rowFilter;
    if (rowFilter === undefined) return [];
    const ways = restrictionsOf(rowFilter, name);
    const predicateText = rowFilter.predicate === undefined ? [] : ['that pass the row predicate of your roles'];
    if (rowFilter.viewerTests.length > 0) predicateText.push('that your attributes select');
    return [
      `Of ${name} only rows are read ${[...predicateText, ...ways.map((way) => `with a visible match along ${way}`)].join(' and ')}.`,
    ];
  });
}

/** Lists the datasets that a subquery and its filters read. */
function readBy({ tree, where }: FactSubquery): readonly string[] {
  return [
    ...datasetsOf(tree),
    ...semiJoinsOf(where).flatMap((semiJoin) => datasetsOf(semiJoin.tree)),
    ...placedAmongsOf(where).flatMap(({ plan }) => plan.subqueries.flatMap(readBy)),
  ];
}

/** Describes the paths from a dataset to other datasets with restricted rows. */
function restrictionsOf({ matches }: RowFilter, from: string): readonly string[] {
  return matches.flatMap(({ step, rowFilter }) => {
    const way = `${from} → ${step.to} (${step.relationship})`;
    const isRestricted = rowFilter.predicate !== undefined || rowFilter.viewerTests.length > 0;
    return [...(isRestricted ? [way] : []), ...restrictionsOf(rowFilter, way)];
  });
}

function datasetsOf({ root, bridge, joins }: JoinTree): readonly string[] {
  return [root, ...[...bridge, ...joins].map(({ node }) => node)].map(({ dataset }) => dataset);
}

function maskingSteps({ suppression, subqueries }: Plan): readonly string[] {
  if (suppression === undefined) return [];
  const { isShadowed, threshold } = suppression;
  const counted = [...new Set(subqueries.map(({ base }) => base))].join(', ');
  return [
    `Metrics of rows that count fewer than ${threshold} are masked, before sorting.`,
    ...(isShadowed
      ? [`Metrics of groups with fewer than ${threshold} rows of ${counted} are masked too; that count is not shown.`]
      : []),
  ];
}

function crosstabSteps({ crosstab, groups, rowGroups }: Plan): readonly string[] {
  if (crosstab === undefined) return [];
  const rows = groups.slice(0, rowGroups).map(fieldKey).join(', ');
  const byMetric = crosstab.order.some(({ by }) => by === 'metric');
  return [
    ...(byMetric ? [`Rows are sorted by the metric's value for ${rows}, all columns together.`] : []),
    ...(crosstab.limit === undefined ? [] : [`The limit counts row groups (${rows}); each keeps all of its columns.`]),
  ];
}
