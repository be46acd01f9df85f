import { isAdministrator, type Scope } from '../../../router/capabilities/identity.ts';
import type { RoleRule } from '../model/extensions.ts';
import type { Dataset, Metric, Model } from '../model/model.ts';
import type { Bound } from '../model/template.ts';

/**
 * The model as one caller may see it: denied fields and metrics are gone, so that every later step reports them as
 * unknown; row predicates of the caller's roles stand in `restriction`.
 *
 * A metric that reads a denied field is gone too, unless its own `allow` names a role of the caller.
 */
export function visibleTo(scope: Scope, model: Model): Model {
  const datasets = new Map([...model.datasets].map(([name, dataset]) => [name, visibleDataset(dataset, scope)]));
  const metrics = new Map([...model.metrics].filter(([, metric]) => isMetricVisible(metric, model, datasets, scope)));
  return { ...model, datasets, metrics };
}

function visibleDataset(dataset: Dataset, scope: Scope): Dataset {
  const fields = new Map([...dataset.fields].filter(([, { roles }]) => mayUse(roles, scope)));
  return { ...dataset, fields, restriction: restrictionFor(dataset, scope) };
}

function isMetricVisible(metric: Metric, model: Model, datasets: ReadonlyMap<string, Dataset>, scope: Scope): boolean {
  if (!mayUse(metric.roles, scope)) return false;
  if (metric.roles.allow !== undefined) return true;
  const has = (one: ReadonlyMap<string, Dataset>, dataset: string, field: string) =>
    one.get(dataset)?.fields.has(field) ?? false;
  return metric.reads.every(
    ({ dataset, field }) => !has(model.datasets, dataset, field) || has(datasets, dataset, field),
  );
}

function mayUse({ allow, deny }: RoleRule, { roles }: Scope): boolean {
  if (roles.some((role) => deny.includes(role))) return false;
  return allow === undefined || roles.some((role) => allow.includes(role));
}

/**
 * Several roles with a predicate see what any of them sees. A caller none of whose roles has one sees the rows of `*`,
 * and no rows where there is no `*`; an administrator then sees all.
 */
function restrictionFor({ rowPredicates }: Dataset, scope: Scope): Bound | undefined {
  if (rowPredicates.size === 0) return undefined;
  const predicates = [...rowPredicates]
    .filter(([role]) => scope.roles.includes(role))
    .map(([, predicate]) => predicate);
  if (predicates.length === 0) return rowPredicates.get('*') ?? (isAdministrator(scope) ? undefined : ['1 = 0']);
  return predicates.flatMap((predicate, index): Bound => [index === 0 ? '(' : ' OR (', ...predicate, ')']);
}
