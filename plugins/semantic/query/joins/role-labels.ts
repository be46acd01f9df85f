/**
 * Roles in which a dataset is reached, such as the airport of origin and the airport of destination, and their display
 * names.
 */

import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import type { Model } from '../../model/model.ts';
import { RelationshipGraph } from '../../model/relationship-graph.ts';
import { VIA_SEPARATOR } from '../nodes/field-key.ts';
import { type JoinPath, viasOf } from './join-paths.ts';

/** The most roles that are listed for a model; only models with dozens of datasets in circles have more. */
const MAX_ROLES = 500;
/** Separates the labels of several relationships. */
const LABEL_SEPARATOR = ' / ';

/** A path to a dataset, with its name in requests and its name for people. */
export interface Role {
  readonly via: string;
  readonly label: string;
  /** Datasets from which the path begins. */
  readonly from: readonly string[];
}

/** Returns the display name of each relationship of a `via`. */
export function roleLabels(via: readonly string[], { relationships }: Pick<Model, 'relationships'>): readonly string[] {
  return via.map((name) => relationships.find((one) => one.name === name)?.label ?? readableName(name));
}

/** Makes a name readable: `order_date_calendar` -> `Order date calendar`. */
function readableName(name: string): string {
  const words = name.replaceAll(/[_\s]+/gu, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Joins labels of roles: `Origin`, `Origin / Country of owner`. */
export function roleLabel(labels: readonly string[]): string {
  return labels.join(LABEL_SEPARATOR);
}

/** Returns the roles of each dataset that several paths reach from another one; yields to the event loop meanwhile. */
export async function rolesOf(model: Model): Promise<ReadonlyMap<string, readonly Role[]>> {
  const graph = new RelationshipGraph(model);
  const yieldTurn = cooperativeYield();
  const roles = new Map<string, Map<string, string[]>>();
  let listed = 0;
  for (const from of model.datasets.keys()) {
    for (const to of graph.reachable(from)) {
      await yieldTurn();
      const joinPaths = graph.directPaths(from, to).map((path): JoinPath => ({ turn: from, back: [], path }));
      if (joinPaths.length < 2 || listed >= MAX_ROLES) continue;
      const fromByVia = roles.get(to) ?? new Map<string, string[]>();
      roles.set(to, fromByVia);
      for (const via of viasOf(joinPaths)) {
        listed += 1;
        fromByVia.set(via, [...(fromByVia.get(via) ?? []), from]);
      }
    }
  }
  return new Map(
    [...roles].map(([dataset, vias]) => [
      dataset,
      [...vias].map(([via, from]) => ({ via, label: roleLabel(roleLabels(namesOf(via, model), model)), from })),
    ]),
  );
}

/** Splits `via` into its names, which may contain the separator themselves. */
function namesOf(via: string, { relationships }: Pick<Model, 'relationships'>): readonly string[] {
  return relationships.some(({ name }) => name === via) ? [via] : via.split(VIA_SEPARATOR);
}
