/** The older single-URL form of a cube datasource: `jdbc:mondrian:Jdbc=…;Catalog=…;JdbcUser=…;JdbcPassword=…`. Pure. */

export interface MondrianUrl {
  /** The warehouse's own URL. */
  readonly jdbcUrl: string;
  /** Path of the cube schema. */
  readonly catalog: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export function isMondrianUrl(url: string): boolean {
  return /^jdbc:mondrian:/i.test(url.trim());
}

/**
 * Reads the properties: `name=value` separated by semicolons. A value in single or double quotes may contain
 * semicolons; a doubled quote is one quote. Names ignore letter case; unknown names have no effect.
 */
export function mondrianUrl(url: string): MondrianUrl | { readonly problem: string } {
  const properties = propertiesOf(url.trim().replace(/^jdbc:mondrian:/i, ''));
  if (properties === undefined) {
    return { problem: 'The properties behind jdbc:mondrian: are name=value with semicolons between.' };
  }
  const jdbcUrl = properties.get('jdbc');
  if (jdbcUrl === undefined || jdbcUrl === '') {
    return { problem: 'The form jdbc:mondrian: needs the property Jdbc, the URL of the warehouse.' };
  }
  const catalog = properties.get('catalog');
  if (catalog !== undefined && /^[a-z][a-z+.-]+:/i.test(catalog) && !/^file:/i.test(catalog)) {
    return { problem: 'The property Catalog is the path of a file on the server.' };
  }
  return {
    jdbcUrl,
    catalog: catalog === undefined ? undefined : pathOf(catalog),
    username: properties.get('jdbcuser') || undefined,
    password: properties.get('jdbcpassword') || undefined,
  };
}

function propertiesOf(text: string): ReadonlyMap<string, string> | undefined {
  const pattern = /\s*([A-Za-z][\w. ]*?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^;]*))\s*(?:;|$)/y;
  const properties = new Map<string, string>();
  for (let at = 0; text.slice(at).trim() !== ''; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, name = '', double, single, bare = ''] = match;
    const value = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? bare.trim();
    properties.set(name.toLowerCase(), value);
  }
  return properties;
}

/** Returns the path of `file:///a/b.xml` or `file:b.xml`. */
function pathOf(catalog: string): string {
  return catalog.replace(/^file:(?:\/\/(?=\/))?/i, '');
}
