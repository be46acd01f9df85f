import type { Evaluator } from '../evaluate/evaluator.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Member } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { Identifier } from '../syntax/ast.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';

/** Properties of cells that CELL PROPERTIES requests. */

interface Computed {
  readonly value: Value;
  readonly formatted: string;
}

export interface CellPropertyReader {
  /** The name in capitals. */
  readonly name: string;
  /** Returns the property of the cell at the context. */
  readonly read: (evaluator: Evaluator, cell: Computed) => Value;
}

const STANDARD: Readonly<Record<string, CellPropertyReader['read']>> = {
  VALUE: (_, { value }) => value,
  FORMATTED_VALUE: (_, { formatted }) => formatted,
  FORMAT_STRING: (evaluator) => formatOf(evaluator),
  SOLVE_ORDER: (evaluator) => evaluator.context.reduce((order, each) => Math.max(order, solveOrderOf(each)), 0),
  CELL_ORDINAL: () => null, // Numbered when all cells are known.
  UPDATEABLE: () => 0,
};

/**
 * Returns readers of the properties that a query names. Names outside the standard are properties of calculated members
 * (`FORE_COLOR = …`) or of the schema's measures. If several members have the property, the one that is solved last
 * decides.
 */
export function cellPropertyReaders(names: readonly Identifier[]): readonly CellPropertyReader[] {
  return names.map(({ segments }) => {
    const last = segments.at(-1);
    const name = (last?.kind === 'name' ? last.name : '').toUpperCase();
    const standard = Object.hasOwn(STANDARD, name) ? STANDARD[name] : undefined;
    return { name, read: (evaluator, cell) => guarded(evaluator, () => (standard ?? declared(name))(evaluator, cell)) };
  });
}

/** Reads a property. An error becomes the value, as in a cell. */
function guarded(evaluator: Evaluator, read: () => Value): Value {
  let value: Value = null;
  evaluator.attempt(() => {
    try {
      value = read();
    } catch (error) {
      if (error instanceof DataNotLoaded || !(error instanceof MdxEvaluationError)) throw error;
      value = `#ERR: ${error.message}`;
    }
  });
  return value;
}

function declared(name: string): CellPropertyReader['read'] {
  return (evaluator) => declaredProperty(evaluator, name);
}

/** Returns a property at the context. If several members have it, the one that is solved last decides. */
export function declaredProperty(evaluator: Evaluator, name: string): Value {
  let latest: Value = null;
  let order = Number.NEGATIVE_INFINITY;
  for (const member of [...evaluator.context]) {
    const solveOrder = solveOrderOf(member);
    if (solveOrder <= order) continue;
    const value = member.calculation?.property(name, evaluator) ?? measureProperty(member, name);
    if (value === undefined || value === null) continue;
    latest = value;
    order = solveOrder;
  }
  return latest;
}

function measureProperty({ measure }: Member, name: string): Value | undefined {
  const content = measure?.properties.find((property) => property.name.toUpperCase() === name)?.content;
  return content?.kind === 'value' ? content.value : undefined;
}

/**
 * Returns the solve order of a member. A stored measure precedes every calculated member without a lower solve order of
 * its own.
 */
function solveOrderOf({ calculation }: Member): number {
  return calculation?.solveOrder ?? -1;
}

/** Returns the format of the member that is solved last among the members with a format. */
export function formatOf(evaluator: Evaluator): string {
  let format: string | undefined;
  let order = Number.NEGATIVE_INFINITY;
  for (const { measure, calculation } of evaluator.context) {
    const solveOrder = measure !== undefined ? -1 : calculation?.solveOrder;
    if (solveOrder === undefined || solveOrder <= order) continue;
    const formatString = measure !== undefined ? (measure.formatString ?? '') : calculation?.formatString(evaluator);
    if (formatString === undefined) continue;
    format = formatString;
    order = solveOrder;
  }
  return format ?? 'Standard';
}
