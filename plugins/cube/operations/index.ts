/** The procedures of the surface, one for each row of the interface's table, each with its REST address. */
import { operations } from '../../../router/operation.ts';
import { analyticsOperations } from './analytics.ts';
import { asyncOperations } from './async.ts';
import { cubeOperations } from './cubes.ts';
import type { Dependencies } from './dependencies.ts';
import { queryOperations } from './query.ts';

export function cubeRouter(parts: Dependencies) {
  return operations({
    ...cubeOperations(parts),
    ...queryOperations(parts),
    ...asyncOperations(parts),
    ...analyticsOperations(parts),
  });
}
