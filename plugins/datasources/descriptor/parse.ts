/** Reads a `.sds` file: returns a checked datasource, or its problems. Pure. */
import { dirname, resolve } from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { Datasource, DatasourceProblem, DatasourceType } from '../../../router/capabilities/datasources.ts';
import { isMondrianUrl, mondrianUrl } from './mondrian-url.ts';
import { type DescriptorElement, readDescriptorXml } from './xml.ts';

/** Bytes of one descriptor at most. */
export const MAX_DESCRIPTOR_BYTES = 64 * 1024;

/** Characters of one element at most. */
const MAX_ELEMENT_LENGTH = 4_096;
/** Elements in the root at most. */
const MAX_CHILDREN = 100;
/** Problems reported for one descriptor. */
const MAX_PROBLEMS = 20;

/** The elements of the format, in the order they are written in. Their names are case-sensitive. */
export const ELEMENTS = [
  'id',
  'name',
  'type',
  'semanticYaml',
  'cubeSchema',
  'location',
  'schema',
  'username',
  'password',
  'advanced',
  'enabled',
] as const;
export type ElementName = (typeof ELEMENTS)[number];

/** Which element names the document of a datasource of each type. */
export const DOCUMENT_ELEMENT: Readonly<Record<DatasourceType, ElementName>> = {
  SEMANTIC: 'semanticYaml',
  OLAP: 'cubeSchema',
};

/** A problem, with its element if it has one. */
export interface DescriptorProblem extends DatasourceProblem {
  readonly element?: ElementName | undefined;
}

export interface ParsedDescriptor {
  /** Absent when a problem of severity `error` keeps the file from being used. */
  readonly datasource: Datasource | undefined;
  readonly problems: readonly DescriptorProblem[];
  /** The name in the file, also of an unusable file; without one, the name of the file. */
  readonly id: string;
  readonly name: string;
  readonly type: DatasourceType | undefined;
  readonly enabled: boolean;
}

export interface DescriptorContext {
  /** Absolute path of the file. Relative paths inside are read from its folder. */
  readonly file: string;
  /** Prefixes of JDBC URLs that have a driver, such as `jdbc:duckdb:`. */
  readonly supportedPrefixes: readonly string[];
}

/** Reads a descriptor and reports all of its problems at once. */
export function parseDescriptor(source: string, { file, supportedPrefixes }: DescriptorContext): ParsedDescriptor {
  const stem = fileStem(file);
  const xml = readDescriptorXml(source);
  if ('severity' in xml)
    return { datasource: undefined, problems: [xml], id: stem, name: stem, type: undefined, enabled: true };

  const problems: DescriptorProblem[] = [];
  const error = (message: string, element?: ElementName) =>
    problems.push({ severity: 'error', message, element, line: elements.get(element ?? 'id')?.line ?? xml.line });
  const elements = new Map<ElementName, DescriptorElement>();
  collectElements(xml.children.slice(0, MAX_CHILDREN), elements, problems);
  if (xml.children.length > MAX_CHILDREN) error(`A descriptor has at most ${MAX_CHILDREN} elements.`);
  if (xml.root !== 'dataSource') error(`The root element is <${xml.root.slice(0, 100)}>; it must be <dataSource>.`);

  const text = (name: ElementName) => nonBlank(elements.get(name)?.text)?.trim();
  const id = text('id') ?? stem;
  const name = text('name') ?? id;
  if (!isPlain(id, 100) || id.includes('/')) error('The <id> has at most 100 characters and no slash.', 'id');
  if (text('name') === undefined) error('There is no <name>. It is the connection name that queries use.', 'name');
  else if (!isPlain(name, 100) || name.includes('/'))
    error('The <name> is part of addresses: at most 100 characters, without a slash.', 'name');

  const enabled = readBoolean('enabled', true);
  readBoolean('advanced', false);
  const type = readType();
  const older = readOlderLocation();
  const location = readLocation();
  const documentPath = readDocumentPath();

  if (problems.some((problem) => problem.severity === 'error') || type === undefined || location === undefined)
    return { datasource: undefined, problems: problems.slice(0, MAX_PROBLEMS), id, name, type, enabled };
  return {
    datasource: {
      id,
      name,
      type,
      documentPath: resolve(dirname(file), documentPath ?? ''),
      warehouse: {
        jdbcUrl: location,
        username: text('username') ?? older?.username,
        // A password may begin or end with a space; only one that is nothing but white space is taken for none.
        password: nonBlank(elements.get('password')?.text) ?? older?.password,
      },
      schema: text('schema'),
      enabled,
    },
    problems,
    id,
    name,
    type,
    enabled,
  };

  function readBoolean(element: ElementName, otherwise: boolean): boolean {
    const written = text(element);
    if (written === undefined) return otherwise;
    if (written === 'true' || written === '1') return true;
    if (written === 'false' || written === '0') return false;
    error(`<${element}> is true or false.`, element);
    return otherwise;
  }

  function readType(): DatasourceType | undefined {
    const written = text('type');
    if (written === 'SEMANTIC' || written === 'OLAP') return written;
    if (written === undefined) error('There is no <type>. It is SEMANTIC or OLAP.', 'type');
    else error('The <type> is SEMANTIC or OLAP, in capital letters.', 'type');
    return undefined;
  }

  /** Reads the form that older tools write: everything in the one URL. */
  function readOlderLocation() {
    const written = text('location');
    if (written === undefined || !isMondrianUrl(written)) return undefined;
    const read = mondrianUrl(written);
    if ('problem' in read) {
      error(read.problem, 'location');
      return undefined;
    }
    if (type === 'SEMANTIC') error('The form jdbc:mondrian: is for datasources of type OLAP.', 'location');
    return read;
  }

  function readLocation(): string | undefined {
    const written = text('location');
    const url = older?.jdbcUrl ?? written;
    if (url === undefined) {
      error('There is no <location>. It is the JDBC URL of the warehouse.', 'location');
    } else if (older === undefined && isMondrianUrl(url)) {
      // The problem of the missing value is reported already.
    } else if (!supportedPrefixes.some((prefix) => url.toLowerCase().startsWith(prefix.toLowerCase()))) {
      // The URL itself may contain a password, so it is not repeated.
      error(`The <location> begins with none of the JDBC prefixes ${supportedPrefixes.join(', ')}.`, 'location');
    }
    return url;
  }

  function readDocumentPath(): string | undefined {
    if (type === undefined) return undefined;
    const element = DOCUMENT_ELEMENT[type];
    const path = text(element) ?? (type === 'OLAP' ? older?.catalog : undefined);
    if (path === undefined)
      error(`There is no <${element}>. A datasource of type ${type} needs the path of its document there.`, element);
    else if (path.includes('\0')) error(`The path in <${element}> holds a NUL character.`, element);
    return path;
  }
}

function collectElements(
  children: readonly DescriptorElement[],
  elements: Map<ElementName, DescriptorElement>,
  problems: DescriptorProblem[],
): void {
  for (const child of children) {
    const name = ELEMENTS.find((each) => each === child.name);
    if (name === undefined)
      problems.push({
        severity: 'warning',
        message: `There is no element <${child.name.slice(0, 100)}> in this format${suggestion(child.name.slice(0, 100))}.`,
        line: child.line,
      });
    else if (child.text === undefined)
      problems.push({
        severity: 'error',
        message: `<${name}> holds text, no elements.`,
        line: child.line,
        element: name,
      });
    else if (child.text.length > MAX_ELEMENT_LENGTH)
      problems.push({
        severity: 'error',
        message: `<${name}> holds more than ${MAX_ELEMENT_LENGTH} characters.`,
        line: child.line,
        element: name,
      });
    else if (elements.has(name))
      problems.push({ severity: 'error', message: `<${name}> is there twice.`, line: child.line, element: name });
    else elements.set(name, child);
  }
}

/** Suggests the nearest element if one is similar. Letter case counts little. */
function suggestion(unknown: string): string {
  const [nearest] = ELEMENTS.map((name) => ({
    name,
    away: distance(name.toLowerCase(), unknown.toLowerCase()),
  })).toSorted((left, right) => left.away - right.away);
  return nearest !== undefined && nearest.away <= 2 ? `; <${nearest.name}> is meant, perhaps` : '';
}

function nonBlank(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

function isPlain(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !/\p{Cc}|\p{Cs}/u.test(text);
}

/** Returns the stem of a descriptor's file: `shop` of `/home/datasources/shop.sds`. */
export function fileStem(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.sds$/, '');
}
