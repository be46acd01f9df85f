import type * as model from '../../schema/model.ts';
import { CELL_FORMATTER_SCRIPT } from '../../schema/shared-elements/calculated.ts';
import type { Script, ScriptRunner } from '../../scripts/script.ts';
import { FUNCTIONS } from '../functions/all-functions.ts';
import type { SchemaMistake } from './check-cube.ts';

interface Placed {
  readonly of: string;
  readonly line: number;
  readonly script: Script;
}

/** Reports scripts of a schema that are not valid JavaScript, and functions with a name of the language. */
export async function checkScripts(schema: model.Schema, runner: ScriptRunner): Promise<readonly SchemaMistake[]> {
  const mistakes: SchemaMistake[] = [];
  for (const { name, line } of schema.functions) {
    if (!FUNCTIONS.byName.has(name.toUpperCase())) continue;
    mistakes.push({ line, message: `MDX has a function "${name}"; the function of the schema is ignored.` });
  }
  for (const { of, line, script } of scriptsOf(schema)) {
    const [outcome] = await runner.run({ ...script, calls: [{ name: 'signature', args: [] }] }, undefined);
    if (outcome?.ok !== false) continue;
    mistakes.push({ line, message: `The script of ${of} fails: ${outcome.message}.` });
  }
  return mistakes;
}

/** Returns the scripts of a schema, each once. */
function scriptsOf({ functions, cubes }: model.Schema): readonly Placed[] {
  const scripts = new Map<string, Placed>();
  const add = (of: string, line: number, script: Script | undefined) => {
    if (script !== undefined) scripts.set(JSON.stringify([line, script]), { of, line, script });
  };
  for (const { name, line, script } of functions) add(`the function "${name}"`, line, script);
  for (const { measures, calculatedMembers, dimensions } of cubes) {
    for (const { name, properties } of [...measures, ...calculatedMembers])
      for (const { name: property, content, line } of properties)
        if (property.toUpperCase() === CELL_FORMATTER_SCRIPT && content.kind === 'value')
          add(`the measure "${name}"`, line, { kind: 'cell formatter', source: content.value });
    for (const { name, line, formatter, properties } of dimensions.flatMap(({ hierarchies }) =>
      hierarchies.flatMap(({ levels }) => levels),
    )) {
      add(`the level "${name}"`, line, formatter);
      for (const property of properties) add(`the property "${property.name}"`, property.line, property.formatter);
    }
  }
  return [...scripts.values()];
}
