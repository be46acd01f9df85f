import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Hierarchy } from '../metadata/member.ts';
import type { Segment } from '../syntax/ast.ts';
import { nearest } from '../syntax/nearest-candidates.ts';
import { unparseSegments } from '../syntax/unparse.ts';
import { type Element, lookUp } from './look-up-name.ts';
import type { Scope } from './scope.ts';

/**
 * Returns names that a missing name may have meant, nearest first: the elements below its longest prefix that exists,
 * or else the hierarchies, levels, measures and sets of the cube. Reads nothing from the warehouse.
 */
export function nameCandidates(scope: Scope, segments: readonly Segment[]): readonly string[] {
  return (
    withoutReading(() => {
      for (let length = segments.length - 1; length > 0; length--) {
        const element = lookUp(scope, segments.slice(0, length));
        if (element !== undefined) return nearest(unparseSegments(segments), below(scope, element));
      }
      return undefined;
    }) ?? nearest(unparseSegments(segments), everything(scope))
  );
}

/** Returns the result if all data is in memory. Candidates are not worth a statement. */
function withoutReading<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof DataNotLoaded) return undefined;
    throw error;
  }
}

function below(scope: Scope, element: Element): readonly string[] {
  switch (element.kind) {
    case 'dimension':
      return element.dimension.hierarchies.flatMap((each) => inHierarchy(scope, each));
    case 'hierarchy':
      return inHierarchy(scope, element.hierarchy);
    case 'level':
      return [...element.level.hierarchy.members.members(element.level)].map(({ uniqueName }) => uniqueName);
    case 'member': {
      const { member } = element;
      const calculated = scope.calculatedBelow(member.hierarchy, member);
      return [...member.hierarchy.members.children(member), ...calculated].map(({ uniqueName }) => uniqueName);
    }
  }
}

function inHierarchy(scope: Scope, hierarchy: Hierarchy): readonly string[] {
  if (!hierarchy.visible) return [];
  const roots = withoutReading(() => {
    const rootMembers = hierarchy.members.roots();
    const [all] = rootMembers;
    return all?.kind === 'all' ? [all, ...(withoutReading(() => hierarchy.members.children(all)) ?? [])] : rootMembers;
  });
  const calculated = scope.calculatedBelow(hierarchy, undefined);
  const levels = hierarchy.isMeasures ? [] : hierarchy.levels;
  return [...levels, ...(roots ?? []), ...calculated].map(({ uniqueName }) => uniqueName);
}

function everything(scope: Scope): readonly string[] {
  const hierarchies = scope.cube.hierarchies.filter(({ visible }) => visible);
  return [
    ...[...scope.sets.values()].map(({ name }) => `[${name}]`),
    ...hierarchies.map(({ uniqueName }) => uniqueName),
    ...hierarchies.flatMap((each) =>
      each.isMeasures ? inHierarchy(scope, each) : each.levels.map(({ uniqueName }) => uniqueName),
    ),
  ];
}
