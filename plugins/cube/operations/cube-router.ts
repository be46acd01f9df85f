/** The procedures of the surface, one for each row of the interface's table, with REST addresses. */
import { operations } from '../../../router/operation.ts';
import { analyticsOperations } from './analytics-operations.ts';
import { asyncOperations } from './async-operations.ts';
import { cubeOperations } from './cube-operations.ts';
import type { Dependencies } from './dependencies.ts';
import { queryOperations } from './query-operations.ts';

export function cubeRouter(parts: Dependencies) {
  return operations({
    ...cubeOperations(parts),
    ...queryOperations(parts),
    ...asyncOperations(parts),
    ...analyticsOperations(parts),
  });
}
