/** Precision and recall of what was found against what is known. */
import type { DetectorFindings } from '../detect/findings.ts';
import type { Table } from '../schemas.ts';
import type { KnownSchema } from './schemas.ts';

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
}

function scoreOf(found: readonly string[], known: readonly string[]): Score {
  const right = found.filter((each) => known.includes(each)).length;
  const precision = found.length === 0 ? 1 : right / found.length;
  const recall = known.length === 0 ? 1 : right / known.length;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    missing: known.filter((each) => !found.includes(each)),
    wrong: found.filter((each) => !known.includes(each)),
  };
}

/** Splits a hierarchy, `store: country > state > city`, into what each level stands below. */
export function stepsOf(hierarchy: string): readonly string[] {
  const [table = '', path = ''] = hierarchy.split(': ');
  const levels = path.split(' > ');
  return levels.slice(1).map((level, above) => `${table}: ${levels[above] ?? ''} > ${level}`);
}

/** Writes the findings in the notation of the known schemas. */
export function scoresOf(findings: DetectorFindings, known: Omit<KnownSchema, 'setUp'>, tables: readonly Table[]) {
  const at = ({ table, column }: { readonly table: string; readonly column: string }): string => `${table}.${column}`;
  const keys = findings.foreignKeys.map(
    ({ table, column, refTable, refColumn, columns = [column], refColumns = [refColumn] }) =>
      `${table}(${columns.join(',')}) -> ${refTable}(${refColumns.join(',')})`,
  );
  return {
    'foreign keys': scoreOf(keys, known.foreignKeys),
    measures: scoreOf(findings.measures.map(at), known.measures),
    'personal data': scoreOf(findings.personalData.map(at), known.personalData),
    // The first of a table's verified keys; of tables that are known to have one.
    keys: scoreOf(
      tables.flatMap(({ name, keys: [key] = [] }) => (key === undefined ? [] : [`${name}(${key.join(',')})`])),
      known.keys,
    ),
    dates: scoreOf(findings.dateHierarchies.map(at), known.dateColumns),
    units: scoreOf(
      findings.units.map((each) => `${at(each)} ${each.unit}`),
      known.units,
    ),
    'steps of hierarchies': scoreOf(
      findings.hierarchies.flatMap(({ table, levels }) => stepsOf(`${table}: ${levels.join(' > ')}`)),
      known.hierarchies.flatMap(stepsOf),
    ),
  };
}
