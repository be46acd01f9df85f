import { expect } from 'vitest';
import type { Cube, Dimension, Hierarchy, Level, Schema } from '../model.ts';
import { readSchema } from '../read-schema.ts';

/** Reads a schema without any problem. */
export function read(source: string): Schema {
  const { schema, problems } = readSchema(source);
  expect(problems).toEqual([]);
  if (schema === undefined) throw new Error('There is no schema.');
  return schema;
}

/** Returns every problem as `line severity message`. */
export function problemsOf(source: string): readonly string[] {
  return readSchema(source).problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);
}

/** Returns a schema with one cube over `sales` with a measure, and the content of the test from line 4. */
export function cubeWith(content: string, beside = ''): string {
  return `<Schema name="S">${beside}
<Cube name="Sales"><Table name="sales"/>
<Measure name="Amount" column="amount" aggregator="sum"/>
${content}
</Cube></Schema>`;
}

/** Returns a private dimension `Store` with one hierarchy over the table `store`. */
export function dimensionWith(levels: string, hierarchy = '', dimension = ''): string {
  return `<Dimension name="Store" foreignKey="store_id" ${dimension}>
<Hierarchy hasAll="true" primaryKey="id" ${hierarchy}><Table name="store"/>
${levels}
</Hierarchy></Dimension>`;
}

export function cubeOf(schema: Schema, name = 'Sales'): Cube {
  return present(
    schema.cubes.find((cube) => cube.name === name),
    name,
  );
}

export function dimensionOf(cube: Cube, name = 'Store'): Dimension {
  return present(
    cube.dimensions.find((dimension) => dimension.name === name),
    name,
  );
}

export function hierarchyOf(cube: Cube, uniqueName = '[Store]'): Hierarchy {
  return present(
    cube.dimensions.flatMap(({ hierarchies }) => hierarchies).find((hierarchy) => hierarchy.uniqueName === uniqueName),
    uniqueName,
  );
}

export function levelOf(hierarchy: Hierarchy, name: string): Level {
  return present(
    hierarchy.levels.find((level) => level.name === name),
    name,
  );
}

export function present<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new Error(`There is no ${name}.`);
  return item;
}
