/** Makes a proposal from a profile by rules, without a language model. Pure. */

import { writeCaption } from '../detect/column-names.ts';
import type { TableView } from '../detect/column-views.ts';
import type { ForeignKey } from '../detect/foreign-keys/find-foreign-keys.ts';
import { personalReason } from '../detect/personal-verdicts.ts';
import { type Detected, detect } from '../detect/tables-and-keys.ts';
import { withAttributes } from '../proposal/attributes.ts';
import { listLeftOut } from '../proposal/left-out.ts';
import type { CompositeKey, Cube, CubeProposal } from '../proposal/schema.ts';
import { detectLanguage, TITLES, type Titles } from '../proposal/titles.ts';
import type { SchemaProfile } from '../schemas.ts';
import { dateDimension, dateName, isDate } from './dates.ts';
import { isAttribute, ownDimensions, proposeDimensions } from './dimensions.ts';
import { chooseFacts } from './facts.ts';
import { isUseful, noteFacts, proposeMeasures } from './measures.ts';
import { sensitiveNotes } from './sensitive-notes.ts';
import { SingleKeys } from './single-keys.ts';
import { Names } from './unique-names.ts';

/** The most that a proposal may have. */
const MAX_CUBES = 100;

export interface RuleOptions {
  readonly schemaName: string;
  readonly factTable?: { readonly schema?: string | undefined; readonly name: string } | undefined;
}

/** Returns a proposal; without cubes where the profile has nothing to count. Tables that are in no cube are left out with the reason. */
export function proposeByRules(
  profile: Pick<SchemaProfile, 'tables' | 'references'>,
  { schemaName, factTable }: RuleOptions,
  detected: Detected = detect(profile),
): CubeProposal {
  const { tables, keys: all } = detected;
  const keys = new SingleKeys(all);
  const { facts, reasons } = chooseFacts(tables, keys);
  const isAsked = ({ name, schema }: TableView): boolean =>
    name === factTable?.name && (factTable.schema ?? schema) === schema;
  const chosen = factTable === undefined ? facts.slice(0, MAX_CUBES) : tables.filter(isAsked);
  const language = detectLanguage(profile.tables.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const cubes = chosen.map((fact) => proposeCube(fact, keys, all, TITLES[language]));
  const reasonOf = (table: TableView | undefined): string => {
    const reason = table === undefined ? undefined : reasons.get(table);
    if (factTable !== undefined) return 'The request names another table.';
    return reason ?? `There are ${MAX_CUBES} cubes of larger tables.`;
  };
  const leftOut = listLeftOut(cubes, profile.tables, (table) => reasonOf(tables.find((each) => each.table === table)));
  const proposal = {
    schemaName,
    cubes,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(language === 'en' ? {} : { language }),
  };
  return withAttributes(proposal, profile.tables);
}

function proposeCube(fact: TableView, keys: SingleKeys, all: readonly ForeignKey[], titles: Titles): Cube {
  const factKeys = keys.from(fact).filter(({ to }) => to[0]?.table !== fact);
  const names = new Names();
  const place = { foreignKey: '', tableSchema: fact.schema, tableName: fact.name, primaryKey: '' };
  const dimensions = [
    ...factKeys.flatMap((key) => proposeDimensions(key, { keys, names, factKeys, titles })),
    ...fact.columns
      .filter((column) => isDate(column) && !factKeys.some(({ from }) => from.includes(column)) && isUseful(column))
      .map((column) => dateDimension(column, place, names.free(dateName(column)), titles)),
    ...ownDimensions(fact, keys, names, titles),
  ];
  const composite = proposeCompositeKeys(fact, all, keys);
  const reached = new Set(
    dimensions.flatMap(({ tableName, joins = [] }) => [tableName, ...joins.map((join) => join.tableName)]),
  );
  const tables = [...new Set([fact, ...keys.tablesBehind(fact).filter(({ name }) => reached.has(name))])];
  const personal = personalIn(tables);
  const notes = [...noteFacts(fact, keys), ...sensitiveNotes(tables)];
  return {
    name: writeCaption(fact.name),
    factTableSchema: fact.schema,
    factTableName: fact.name,
    measures: proposeMeasures(fact, keys, factKeys, titles),
    dimensions,
    ...(personal.length === 0 ? {} : { personal }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(composite.length === 0 ? {} : { compositeKeys: composite }),
  };
}

function personalIn(tables: readonly TableView[]): NonNullable<Cube['personal']> {
  return tables
    .flatMap(({ columns }) => columns)
    .filter((column) => personalReason(column) !== undefined)
    .map(({ name, table }) => ({ tableSchema: table.schema, tableName: table.name, column: name }));
}

/** Lists the tables that only several columns of the facts together identify. */
function proposeCompositeKeys(fact: TableView, all: readonly ForeignKey[], keys: SingleKeys): CompositeKey[] {
  const composite = all.filter(({ from }) => from.length > 1 && from[0]?.table === fact);
  return composite.flatMap(({ from, to, reason }): CompositeKey[] => {
    const table = to[0]?.table;
    if (table === undefined || keys.from(fact).some((single) => single.to[0]?.table === table)) return [];
    const attributes = table.columns.filter((column) => !to.includes(column) && isAttribute(column, keys));
    return [
      {
        columns: from.map(({ name }) => name),
        tableSchema: table.schema,
        tableName: table.name,
        keyColumns: to.map(({ name }) => name),
        attributes: attributes.map(({ name }) => name),
        reason,
      },
    ];
  });
}
