import type { TableInfo, TableName } from '../../../router/capabilities/warehouse.ts';
import { matchesWhole, PatternError } from '../mdx/index.ts';
import { sameName } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';

/**
 * Returns the tables of a declaration, or why its pattern cannot be used. A name without a table is returned as it is
 * written. Patterns are compared with the tables beside the facts.
 */
export function tablesMeant(
  declared: model.DeclaredTables,
  fact: model.Relation,
  tables: readonly TableInfo[],
): { readonly candidates: readonly TableName[]; readonly refusal?: string } {
  const { schema } = declared;
  const beside = tables.filter((table) => isBeside(table, schema, fact, tables));
  const named = (name: string): TableName => (schema === undefined ? { name } : { schema, name });
  if (declared.kind === 'name') {
    const exact = beside.find(({ name }) => name === declared.name);
    const alike = declared.ignoreCase ? beside.find(({ name }) => sameName(name, declared.name)) : undefined;
    return { candidates: [named((exact ?? alike)?.name ?? declared.name)] };
  }
  const { pattern, ignoreCase, excluded } = declared;
  try {
    const isExcluded = (name: string) =>
      excluded.some((each) =>
        each.kind === 'name'
          ? each.text === name || (each.ignoreCase && sameName(each.text, name))
          : matchesPattern(name, each.text, each.ignoreCase),
      );
    const names = beside.map(({ name }) => name).filter((name) => matchesPattern(name, pattern, ignoreCase));
    const isFact = (name: string) => fact.kind === 'table' && sameName(name, fact.name);
    return { candidates: names.filter((name) => !isFact(name) && !isExcluded(name)).map(named) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const refusal = `The pattern "${pattern}" of aggregate tables cannot be used: ${error.message}.`;
    return { candidates: [], refusal };
  }
}

function matchesPattern(name: string, pattern: string, ignoreCase: boolean): boolean {
  return matchesWhole(name, ignoreCase ? `(?i:${pattern})` : pattern);
}

/** Returns whether a table is in the declared schema, or else in the schema of the facts. */
function isBeside(
  table: TableInfo,
  schema: string | undefined,
  fact: model.Relation,
  tables: readonly TableInfo[],
): boolean {
  if (schema !== undefined) return table.schema !== undefined && sameName(table.schema, schema);
  if (fact.kind !== 'table') return false;
  return tables.some((each) => sameName(each.name, fact.name) && each.schema === table.schema);
}
