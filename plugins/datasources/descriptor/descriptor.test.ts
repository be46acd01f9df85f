import { describe, expect, it } from 'vitest';
import { cpuMillis } from '../../../router/testing/cpu-millis.ts';
import { type ParsedDescriptor, parseDescriptor } from './parse.ts';
import { writeDescriptor } from './write.ts';

const context = { file: '/srv/datasources/shop.sds', supportedPrefixes: ['jdbc:duckdb:', 'jdbc:postgresql:'] };
const parse = (source: string) => parseDescriptor(source, context);
const wrap = (inside: string) => `<?xml version="1.0"?>\n<dataSource>\n${inside}\n</dataSource>\n`;
const errors = (parsed: ParsedDescriptor) =>
  parsed.problems.filter((problem) => problem.severity === 'error').map((problem) => problem.message);

const MINIMAL = `<name>Shop</name>
<type>SEMANTIC</type>
<semanticYaml>models/shop.yaml</semanticYaml>
<location>jdbc:duckdb:/data/shop.duckdb</location>`;

describe('a descriptor', () => {
  it('gives a datasource with every element it has', () => {
    const parsed = parse(`<?xml version="1.0" encoding="UTF-8"?>
<!-- the shop -->
<dataSource>
  <id>shop-1</id>
  <name> Shop </name>
  <type>SEMANTIC</type>
  <semanticYaml>/models/shop.yaml</semanticYaml>
  <location>jdbc:postgresql://db:5432/shop?sslmode=require&amp;currentSchema=mart</location>
  <schema>shop</schema>
  <username>reader</username>
  <password> a&lt;b&#65;&#x42;<![CDATA[&amp;]]> </password>
  <advanced>true</advanced>
  <enabled>false</enabled>
</dataSource>`);
    expect(parsed.problems).toEqual([]);
    expect(parsed.datasource).toEqual({
      id: 'shop-1',
      name: 'Shop',
      type: 'SEMANTIC',
      documentPath: '/models/shop.yaml',
      warehouse: {
        jdbcUrl: 'jdbc:postgresql://db:5432/shop?sslmode=require&currentSchema=mart',
        username: 'reader',
        password: ' a<bAB&amp; ',
      },
      schema: 'shop',
      enabled: false,
    });
  });

  it('takes its id from the file, is enabled by default, and has its document beside it', () => {
    expect(parse(wrap(MINIMAL)).datasource).toEqual({
      id: 'shop',
      name: 'Shop',
      type: 'SEMANTIC',
      documentPath: '/srv/datasources/models/shop.yaml',
      warehouse: { jdbcUrl: 'jdbc:duckdb:/data/shop.duckdb', username: undefined, password: undefined },
      schema: undefined,
      enabled: true,
    });
  });

  it('of a cube names a cube schema', () => {
    const parsed = parse(wrap(MINIMAL.replace('SEMANTIC', 'OLAP').replaceAll('semanticYaml', 'cubeSchema')));
    expect(parsed.datasource).toMatchObject({ type: 'OLAP', documentPath: '/srv/datasources/models/shop.yaml' });
  });

  it('treats an empty element as one that is missing', () => {
    const parsed = parse(wrap(`${MINIMAL}<password>  \n </password><username/><schema></schema><id></id>`));
    expect(parsed.problems).toEqual([]);
    expect(parsed.datasource).toMatchObject({ id: 'shop', schema: undefined, warehouse: { password: undefined } });
  });

  it('names every element that is missing, in one pass', () => {
    expect(errors(parse(wrap('<id>x</id>')))).toEqual([
      'There is no <name>. It is the connection name that queries use.',
      'There is no <type>. It is SEMANTIC or OLAP.',
      'There is no <location>. It is the JDBC URL of the warehouse.',
    ]);
    expect(errors(parse(wrap('<name>n</name><type>OLAP</type><location>jdbc:duckdb:</location>')))).toEqual([
      'There is no <cubeSchema>. A datasource of type OLAP needs the path of its document there.',
    ]);
  });

  it('reports the line of a mistake', () => {
    const parsed = parse(wrap(MINIMAL.replace('SEMANTIC', 'semantic')));
    expect(parsed.problems).toEqual([
      {
        severity: 'error',
        message: 'The <type> is SEMANTIC or OLAP, in capital letters.',
        element: 'type',
        // The XML declaration, <dataSource>, <name>, and then it.
        line: 4,
      },
    ]);
  });

  it('reports the start of an element without an end', () => {
    expect(parse(`<dataSource>\n${MINIMAL}\n<schema>\n<id/>\n`).problems).toMatchObject([
      { line: 6, message: expect.stringContaining('unclosed tag: schema') },
    ]);
  });

  it.each([
    ['another root', MINIMAL, /root element is <connection>.*<dataSource>/, 'connection'],
    ['a root of another case', MINIMAL, /root element is <datasource>/, 'datasource'],
    ['an element twice', `${MINIMAL}<name>B</name>`, /<name> is there twice/, 'dataSource'],
    ['elements inside one', `${MINIMAL}<schema><a/></schema>`, /<schema> holds text/, 'dataSource'],
    ['a word that is no boolean', `${MINIMAL}<enabled>yes</enabled>`, /<enabled> is true or false/, 'dataSource'],
    ['a slash in the name', MINIMAL.replace('Shop', 'a/b'), /<name> is part of addresses/, 'dataSource'],
    ['an id that climbs', `${MINIMAL}<id>../x</id>`, /<id>.*no slash/, 'dataSource'],
    [
      'the older form, which is of cubes only,',
      MINIMAL.replace('jdbc:duckdb:', 'jdbc:mondrian:Jdbc=jdbc:duckdb:'),
      /type OLAP/,
      'dataSource',
    ],
    ['a bare ampersand', `${MINIMAL}<schema>a & b</schema>`, /&amp;/, 'dataSource'],
    ['an entity of the document', `${MINIMAL}<schema>&secret;</schema>`, /&amp;/, 'dataSource'],
    ['a tag that is not closed', `${MINIMAL}<schema>`, /well-formed/, 'dataSource'],
  ])('with %s is refused', (_, inside, message, root) => {
    const parsed = parse(`<${root}>${inside}</${root}>`);
    expect(parsed.datasource).toBeUndefined();
    expect(errors(parsed).join('\n')).toMatch(message);
  });

  it.each(['', '   ', 'no XML', '{"id": 1}', '<?xml version="1.0"?>', '\0'])('that is %j is refused', (source) => {
    expect(parse(source)).toMatchObject({ datasource: undefined, id: 'shop', name: 'shop' });
    expect(errors(parse(source))).toHaveLength(1);
  });

  it.each([
    '<!DOCTYPE dataSource [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!doctype dataSource SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
  ])('with a document type is refused before anything in it is read', (declaration) => {
    const parsed = parse(`${declaration}\n<dataSource>${MINIMAL}<schema>&x;</schema></dataSource>`);
    expect(errors(parsed)).toEqual(['A document type declaration (<!DOCTYPE …>) is not allowed.']);
  });

  it('never repeats a location, which may contain a password', () => {
    const parsed = parse(wrap(MINIMAL.replace('jdbc:duckdb:', 'jdbc:oracle:thin:scott/tiger@')));
    expect(errors(parsed)).toEqual([
      'The <location> begins with none of the JDBC prefixes jdbc:duckdb:, jdbc:postgresql:.',
    ]);
  });

  it('continues after an unknown element, and suggests a similar one', () => {
    const parsed = parse(wrap(`${MINIMAL}\n<semanticyaml>x</semanticyaml>\n<driver>d</driver>`));
    expect(parsed.datasource).toBeDefined();
    expect(parsed.problems).toEqual([
      {
        severity: 'warning',
        line: 7,
        message: 'There is no element <semanticyaml> in this format; <semanticYaml> is meant, perhaps.',
      },
      { severity: 'warning', line: 8, message: 'There is no element <driver> in this format.' },
    ]);
  });

  it('that was written is read back to the character', () => {
    const password = ` <p>&amp;"']]>\u00e9日 `;
    const parsed = parse(
      writeDescriptor({
        id: 'a',
        name: 'A & B <C>',
        type: 'SEMANTIC',
        semanticYaml: 'm & n.yaml',
        location: 'jdbc:postgresql://h/d?a=1&b=2',
        password,
        enabled: 'true',
      }),
    );
    expect(parsed.problems).toEqual([]);
    expect(parsed.datasource).toMatchObject({
      id: 'a',
      name: 'A & B <C>',
      documentPath: '/srv/datasources/m & n.yaml',
      warehouse: { jdbcUrl: 'jdbc:postgresql://h/d?a=1&b=2', password },
      enabled: true,
    });
  });
});

describe('a descriptor that means harm', () => {
  const big = (text: string, count: number) => text.repeat(count);
  it.each([
    ['300 nested elements', `<dataSource>${big('<a>', 300)}${big('</a>', 300)}</dataSource>`],
    ['8,000 nested elements', `<dataSource>${big('<a>', 8_000)}${big('</a>', 8_000)}</dataSource>`],
    ['8,000 elements that never end', `<dataSource>${big('<a>', 8_000)}`],
    ['10,000 unknown elements', `<dataSource>${big('<b/>\n', 10_000)}</dataSource>`],
    ['an attribute of 60,000 characters', `<dataSource x="${big('y', 60_000)}"></dataSource>`],
    [
      '5,000 attributes',
      `<dataSource ${Array.from({ length: 5_000 }, (_, at) => `a${at}="1"`).join(' ')}></dataSource>`,
    ],
    ['a name of 60,000 characters', `<${big('x', 60_000)}/>`],
    ['comments that never end', `<dataSource>${big('<!--', 15_000)}</dataSource>`],
    ['character data that never ends', `<dataSource>${big('<![CDATA[', 7_000)}</dataSource>`],
    ['nested comments', `<dataSource>${big('<!--<!-- -->', 5_000)}</dataSource>`],
    ['entities of the document', `<!DOCTYPE d [<!ENTITY a "${big('x', 1_000)}">]><dataSource>&a;&a;</dataSource>`],
    ['an external entity', '<!DOCTYPE d SYSTEM "file:///etc/passwd"><dataSource/>'],
    ['many references', `<dataSource><name>${big('&#65;', 12_000)}</name></dataSource>`],
    ['a reference beyond Unicode', '<dataSource><name>&#99999999;</name></dataSource>'],
    [
      'an older URL of spaces',
      `<dataSource><name>a</name><type>OLAP</type><location>jdbc:mondrian:a${big(' ', 60_000)}x</location></dataSource>`,
    ],
    ['an element of the prototype', '<dataSource><__proto__>x</__proto__><constructor>y</constructor></dataSource>'],
    ['nothing', ''],
    ['angle brackets', big('<', 60_000)],
    ['processing instructions', `<dataSource>${big('<?', 30_000)}</dataSource>`],
  ])('of %s is broken, and read in no time', (_, source) => {
    const read = () => parseDescriptor(source, { file: '/h/x.sds', supportedPrefixes: ['jdbc:duckdb:'] });
    expect(cpuMillis(read)).toBeLessThan(3_000);
    const { datasource, problems } = read();
    expect(datasource).toBeUndefined();
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems).length).toBeLessThan(20_000);
  });
});
