/** The procedures of the surface, one for each row of the interface's table, each with its REST address. */
import { operations } from '../../../router/operation.ts';
import { analyticsOperations } from './analytics.ts';
import { asyncOperations } from './async.ts';
import type { Dependencies } from './dependencies.ts';
import { modelOperations } from './models.ts';
import { queryOperations } from './query.ts';

export function semanticRouter(parts: Dependencies) {
  return operations({
    ...modelOperations(parts),
    ...queryOperations(parts),
    ...asyncOperations(parts),
    ...analyticsOperations(parts),
  });
}
