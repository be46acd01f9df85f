import { describe, expect, it } from 'vitest';
import { mondrianUrl } from './mondrian-url.ts';
import { parseDescriptor } from './parse.ts';

describe('the older single-URL form', () => {
  it('names the warehouse, the schema, the user and the password', () => {
    expect(
      mondrianUrl(
        'jdbc:mondrian:Jdbc=jdbc:postgresql://h/db;Catalog=file:///data/shop.xml;JdbcUser=ann;JdbcPassword=x',
      ),
    ).toEqual({ jdbcUrl: 'jdbc:postgresql://h/db', catalog: '/data/shop.xml', username: 'ann', password: 'x' });
  });

  it('takes names in any letter case, quoted values with semicolons, and other properties', () => {
    expect(
      mondrianUrl(`jdbc:mondrian:JDBC="jdbc:mysql://h/db?a=1;b=2"; jdbcpassword='it''s;'; DynamicSchemaProcessor=x;`),
    ).toEqual({ jdbcUrl: 'jdbc:mysql://h/db?a=1;b=2', catalog: undefined, username: undefined, password: "it's;" });
  });

  it.each([
    ['jdbc:mondrian:', /Jdbc/],
    ['jdbc:mondrian:Catalog=a.xml', /Jdbc/],
    ['jdbc:mondrian:nonsense', /name=value/],
    ['jdbc:mondrian:Jdbc=jdbc:duckdb:a;Catalog=http://example.com/a.xml', /path of a file/],
  ])('%s is refused', (url, problem) => {
    expect(mondrianUrl(url)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('makes a datasource like the one with elements of its own', () => {
    const parsed = parseDescriptor(
      `<dataSource><name>shop</name><type>OLAP</type>
       <location>jdbc:mondrian:Jdbc=jdbc:duckdb:shop.db;Catalog=cubes/shop.xml;JdbcUser=ann</location></dataSource>`,
      { file: '/home/datasources/shop.sds', supportedPrefixes: ['jdbc:duckdb:'] },
    );
    expect(parsed.problems).toEqual([]);
    expect(parsed.datasource).toMatchObject({
      type: 'OLAP',
      documentPath: '/home/datasources/cubes/shop.xml',
      warehouse: { jdbcUrl: 'jdbc:duckdb:shop.db', username: 'ann', password: undefined },
    });
  });

  it('is refused where its warehouse has no driver', () => {
    const { datasource, problems } = parseDescriptor(
      '<dataSource><name>shop</name><type>OLAP</type><location>jdbc:mondrian:Jdbc=jdbc:oracle:x;Catalog=a.xml</location></dataSource>',
      { file: '/home/datasources/shop.sds', supportedPrefixes: ['jdbc:duckdb:'] },
    );
    expect(datasource).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('jdbc:duckdb:') })]);
  });
});
