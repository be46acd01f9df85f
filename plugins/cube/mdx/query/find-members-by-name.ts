import { type NamedMember, namedMember } from '../compile/named-member.ts';
import { declareSchemaFormulas } from '../compile/schema-formulas.ts';
import { Scope } from '../compile/scope.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { QueryExecution } from '../evaluate/query-execution.ts';
import { functionsOf } from '../functions/scripted.ts';
import { MAX_LOOK_UP_MS } from '../limits.ts';
import { DataNotLoaded, loadAll } from '../loading/data-not-loaded.ts';

export interface MemberNames {
  readonly cube: string;
  readonly names: readonly string[];
}

/**
 * Finds members by their names, in the order of the names. A name begins with its dimension or hierarchy. Every segment
 * is a name or a key (`&[1]`), never a function, so that `[Store].[USA].Children` is not a member. A name through a
 * level (`[Store].[Name].[Oslo]`) means a member only if no other member of the level has it.
 */
export async function findMembers(
  cube: RuntimeCube,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly NamedMember[]> {
  const run = new QueryExecution(cube, signal, Date.now() + MAX_LOOK_UP_MS);
  const scope = await run.runUntilLoaded(() => {
    const fresh = new Scope({ cube, functions: functionsOf(cube.schema) });
    declareSchemaFormulas(fresh);
    return fresh;
  });
  const members = new Map<number, NamedMember>();
  return run.runUntilLoaded(() => {
    const missing: DataNotLoaded[] = [];
    for (const [index, name] of names.entries()) {
      if (members.has(index)) continue;
      try {
        members.set(index, namedMember(scope, name));
      } catch (error) {
        if (!(error instanceof DataNotLoaded)) throw error;
        missing.push(error);
      }
    }
    if (missing.length > 0) throw new DataNotLoaded('members by name', (stop) => loadAll(missing, stop));
    return names.map((_, index) => members.get(index) ?? { kind: 'none' });
  });
}
