import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { ColumnExpression, Expression, JoinRelation, Located, Relation, SqlText } from '../model.ts';
import type { LeafRelation } from '../relation-leaves.ts';
import { inlineTable } from '../shared-elements/inline-table.ts';
import { sqlTextOf } from '../shared-elements/sql-texts.ts';
import { lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';

/** A column with the line of the element that names it. */
type NamedColumn = Pick<ColumnExpression, 'name' | 'line'>;

interface PhysicalTable extends Located {
  readonly relation: LeafRelation;
  /** The columns that links refer to; `undefined` if the schema does not name them. */
  readonly key: readonly NamedColumn[] | undefined;
  /** Columns that the schema defines by SQL. */
  readonly calculated: ReadonlyMap<string, SqlText>;
}

/** `target.foreignKey` refers to `source.key`: several rows of the target refer to one row of the source. */
interface PhysicalLink {
  readonly source: string;
  readonly target: string;
  readonly key: NamedColumn;
  readonly foreignKey: NamedColumn;
}

/** The tables of a schema and the links between them. */
export class PhysicalSchema {
  readonly #tables: ReadonlyMap<string, PhysicalTable>;
  readonly #links: readonly PhysicalLink[];
  readonly #problems: Problems;

  constructor(element: XmlElement | undefined, problems: Problems) {
    this.#problems = problems;
    const tables = new Map<string, PhysicalTable>();
    for (const child of element === undefined ? [] : elementsOf(element, 'Table', 'Query', 'InlineTable')) {
      const table = physicalTable(child, problems);
      if (tables.has(table.relation.alias))
        problems.error(child, `Two tables are called "${table.relation.alias}". Give one of them an "alias".`);
      tables.set(table.relation.alias, table);
    }
    this.#tables = tables;
    this.#links = (element === undefined ? [] : elementsOf(element, 'Link')).flatMap((child) => {
      const link = this.#link(child);
      return link === undefined ? [] : [link];
    });
  }

  /** Returns the table that an element's attribute names. */
  table(element: XmlElement, attribute: string): LeafRelation | undefined {
    const alias = required(element, attribute, this.#problems);
    return alias === '' ? undefined : this.#tableOf(alias, lineOf(element, attribute))?.relation;
  }

  /** Returns the tables of the schema by their aliases. */
  get relations(): ReadonlyMap<string, LeafRelation> {
    return new Map([...this.#tables].map(([alias, { relation }]) => [alias, relation]));
  }

  /** Returns a column of a table, or the SQL that the schema defines for it. */
  column(table: string, name: string, { line }: Located): Expression {
    const sql = this.#tables.get(table)?.calculated.get(name);
    return sql === undefined ? { kind: 'column', table, name, line } : { kind: 'sql', table, sql };
  }

  /**
   * Joins the tables of `needed` along the links from `root` to the tables that it refers to. A table that cannot be
   * joined is reported and left out; the check then reports no further mistake for elements that name the hierarchy.
   */
  join(root: string, needed: readonly string[], at: Located): Relation | undefined {
    let relation: Relation | undefined = this.#tableOf(root, at)?.relation;
    if (relation === undefined) return undefined;
    const joined = new Set([root]);
    for (const table of needed) {
      if (joined.has(table)) continue;
      if (this.#tableOf(table, at) === undefined) continue;
      const path = this.#path(root, table);
      if (path === undefined) {
        this.#problems.error(at, `No <Link> connects "${root}" with "${table}", which this hierarchy also reads.`);
        continue;
      }
      for (const link of path) {
        const right = this.#tables.get(link.source)?.relation;
        if (joined.has(link.source) || right === undefined) continue;
        joined.add(link.source);
        const joint: JoinRelation = {
          kind: 'join',
          left: relation,
          right,
          leftKey: { kind: 'column', table: link.target, ...link.foreignKey },
          rightKey: { kind: 'column', table: link.source, ...link.key },
          line: at.line,
        };
        relation = joint;
      }
    }
    return relation;
  }

  /** Finds the shortest path, breadth first. */
  #path(from: string, to: string): readonly PhysicalLink[] | undefined {
    const waiting: (readonly PhysicalLink[])[] = [[]];
    const seen = new Set([from]);
    for (const path of waiting) {
      const end = path.at(-1)?.source ?? from;
      if (end === to) return path;
      for (const link of this.#links)
        if (link.target === end && !seen.has(link.source)) {
          seen.add(link.source);
          waiting.push([...path, link]);
        }
    }
    return undefined;
  }

  #tableOf(alias: string, at: Located): PhysicalTable | undefined {
    const table = this.#tables.get(alias);
    if (table === undefined)
      this.#problems.error(
        at,
        `There is no table "${alias}" in the <PhysicalSchema>.${suggestion(alias, [...this.#tables.keys()])}`,
      );
    return table;
  }

  #link(element: XmlElement): PhysicalLink | undefined {
    const source = this.table(element, 'source');
    const target = this.table(element, 'target');
    if (source === undefined || target === undefined) return undefined;
    const foreignKey = soleColumn(element, 'foreignKeyColumn', 'ForeignKey', this.#problems);
    const key = this.#tables.get(source.alias)?.key;
    const [column, another] = key ?? [];
    if (column === undefined)
      this.#problems.error(element, `The table "${source.alias}" needs "keyColumn" or a <Key> to be linked to.`);
    if (another !== undefined)
      this.#problems.error(element, `The key of "${source.alias}" has several columns; a link joins by one.`);
    if (foreignKey === undefined || column === undefined) return undefined;
    return { source: source.alias, target: target.alias, key: column, foreignKey };
  }
}

function physicalTable(element: XmlElement, problems: Problems): PhysicalTable {
  const relation = leaf(element, problems);
  const keyElement = firstOf(element, 'Key');
  const keyColumn = text(element, 'keyColumn');
  const definitions = firstOf(element, 'ColumnDefs');
  const calculated = new Map<string, SqlText>();
  for (const column of definitions === undefined ? [] : elementsOf(definitions, 'CalculatedColumnDef')) {
    const view = firstOf(column, 'ExpressionView');
    const name = required(column, 'name', problems);
    if (view === undefined) problems.error(column, `The calculated column "${name}" needs an <ExpressionView>.`);
    else calculated.set(name, sqlTextOf(view, problems, relation.alias));
  }
  return {
    relation,
    key:
      keyColumn === undefined
        ? keyElement === undefined
          ? undefined
          : elementsOf(keyElement, 'Column').map((column) => named(column, problems))
        : [{ name: keyColumn, line: element.line }],
    calculated,
    line: element.line,
  };
}

function leaf(element: XmlElement, problems: Problems): LeafRelation {
  const { line } = element;
  if (element.name === 'InlineTable') return inlineTable(element, problems);
  if (element.name === 'Query') {
    const view = firstOf(element, 'ExpressionView');
    if (view === undefined) problems.error(element, 'A <Query> needs an <ExpressionView> with its SQL.');
    return {
      kind: 'view',
      alias: text(element, 'alias') ?? required(element, 'name', problems),
      sql: view === undefined ? { variants: [], line } : sqlTextOf(view, problems),
      line,
    };
  }
  const name = required(element, 'name', problems);
  return {
    kind: 'table',
    schema: text(element, 'schema'),
    name,
    alias: text(element, 'alias') ?? name,
    filter: undefined,
    line,
  };
}

/** Returns one column, from an attribute or from a child element that lists columns. */
export function soleColumn(
  element: XmlElement,
  attribute: string,
  child: string,
  problems: Problems,
): NamedColumn | undefined {
  const name = text(element, attribute);
  if (name !== undefined) return { name, line: element.line };
  const list = firstOf(element, child);
  const [column, another] = list === undefined ? [] : elementsOf(list, 'Column');
  if (column === undefined) {
    problems.error(element, `<${element.name}> needs "${attribute}" or a <${child}> with a <Column>.`);
    return undefined;
  }
  if (another !== undefined) problems.error(another, `A <${child}> of several columns is not supported.`);
  return named(column, problems);
}

function named(column: XmlElement, problems: Problems): NamedColumn {
  return { name: required(column, 'name', problems), line: column.line };
}
