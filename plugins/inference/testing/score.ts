/** Computes precision and recall of findings against the reference. */
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

function scoreOf(actual: readonly string[], expected: readonly string[]): Score {
  const right = actual.filter((each) => expected.includes(each)).length;
  const precision = actual.length === 0 ? 1 : right / actual.length;
  const recall = expected.length === 0 ? 1 : right / expected.length;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    missing: expected.filter((each) => !actual.includes(each)),
    wrong: actual.filter((each) => !expected.includes(each)),
  };
}

/** Splits a hierarchy, `store: country > state > city`, into its steps. */
export function stepsOf(hierarchy: string): readonly string[] {
  const [table = '', path = ''] = hierarchy.split(': ');
  const levels = path.split(' > ');
  return levels.slice(1).map((level, above) => `${table}: ${levels[above] ?? ''} > ${level}`);
}

/** Writes the findings in the notation of the known schemas. */
export function scoresOf(findings: DetectorFindings, expected: Omit<KnownSchema, 'setUp'>, tables: readonly Table[]) {
  const at = ({ table, column }: { readonly table: string; readonly column: string }): string => `${table}.${column}`;
  const keys = findings.foreignKeys.map(
    ({ table, column, refTable, refColumn, columns = [column], refColumns = [refColumn] }) =>
      `${table}(${columns.join(',')}) -> ${refTable}(${refColumns.join(',')})`,
  );
  return {
    'foreign keys': scoreOf(keys, expected.foreignKeys),
    measures: scoreOf(findings.measures.map(at), expected.measures),
    'personal data': scoreOf(findings.personalData.map(at), expected.personalData),
    // The first verified key of each table that is known to have one.
    keys: scoreOf(
      tables.flatMap(({ name, keys: [key] = [] }) => (key === undefined ? [] : [`${name}(${key.join(',')})`])),
      expected.keys,
    ),
    dates: scoreOf(findings.dateHierarchies.map(at), expected.dateColumns),
    units: scoreOf(
      findings.units.map((each) => `${at(each)} ${each.unit}`),
      expected.units,
    ),
    'steps of hierarchies': scoreOf(
      findings.hierarchies.flatMap(({ table, levels }) => stepsOf(`${table}: ${levels.join(' > ')}`)),
      expected.hierarchies.flatMap(stepsOf),
    ),
  };
}
