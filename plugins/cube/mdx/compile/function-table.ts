import type { FunctionDefinition, FunctionTable } from './scope.ts';

/** Returns the lookup table of the definitions. */
export function functionTable(definitions: readonly FunctionDefinition[]): FunctionTable {
  const byName = new Map<string, FunctionDefinition[]>();
  for (const definition of definitions) {
    const name = definition.name.toUpperCase();
    const overloads = byName.get(name);
    if (overloads === undefined) byName.set(name, [definition]);
    else overloads.push(definition);
  }
  return {
    byName,
    propertyNames: new Set(
      definitions.filter(({ syntax }) => syntax === 'property').map(({ name }) => name.toUpperCase()),
    ),
    ofParentheses: definitions.find(({ isBuiltByParentheses }) => isBuiltByParentheses === true),
    symbols: new Set(definitions.flatMap(({ parameters }) => parameters.flatMap(({ symbols }) => symbols))),
    names: [...byName.values()].flatMap(([first]) => first?.name ?? []),
  };
}
