import { expect, it } from 'vitest';
import { readSchema } from '../read-schema.ts';

const schema = (level: string, attributes: string) => `<Schema name="S"><Cube name="Sales"><Table name="sales">
<AggName name="sales_by_town"><AggFactCount column="n"/><AggLevel name="${level}" column="town" ${attributes}/></AggName></Table>
<Dimension name="Place" foreignKey="place"><Hierarchy hasAll="true" primaryKey="id"><Table name="place"/>
<Level name="Country" column="country" uniqueMembers="true"/><Level name="Town" column="town" uniqueMembers="false"/></Hierarchy></Dimension>
<Measure name="Units" column="units" aggregator="sum"/></Cube></Schema>`;

it.each([
  [
    '[Place].[Town]',
    'collapsed="false"',
    [
      '2 The aggregate table has the key of [Place].[Town] alone (collapsed="false"), so the level needs uniqueMembers="true".',
    ],
  ],
  ['[Place].[Country]', 'collapsed="false"', []],
  ['[Place].[Town]', 'collapsed="true"', []],
  ['[Place].[Town]', '', []],
])('an aggregate table of the level %s with %s', (level, attributes, expected) => {
  const { schema: read, problems } = readSchema(schema(level, attributes));
  expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual(expected);
  expect(read === undefined).toBe(expected.length > 0);
});
