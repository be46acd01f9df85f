/** The procedures of the surface, one for each row of the interface's table, each with its REST address. */
import { operations } from '../../../router/operation.ts';
import { analyticsOperations } from './analytics-operations.ts';
import { asyncOperations } from './async-operations.ts';
import { combinationOperations } from './combination-operations.ts';
import type { Dependencies } from './dependencies.ts';
import { modelOperations } from './model-operations.ts';
import { queryOperations } from './query-operations.ts';
import { streamOperations } from './stream-operations.ts';
import { valueOperations } from './value-operations.ts';

export function semanticRouter(parts: Dependencies) {
  return operations({
    ...modelOperations(parts),
    ...valueOperations(parts),
    ...queryOperations(parts),
    ...streamOperations(parts),
    ...combinationOperations(parts),
    ...asyncOperations(parts),
    ...analyticsOperations(parts),
  });
}
