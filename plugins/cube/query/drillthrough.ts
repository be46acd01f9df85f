/** Writes the drill-through statement of one cell of an answer. */
import type { Scalar } from '../../../router/capabilities/scalar.ts';
import { ForbiddenError, ValidationError } from '../../../router/errors.ts';
import { nearestFirst, ProblemList } from '../../query-surface/index.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { CubeMetadata, MeasureMetadata } from '../cube-metadata/cube-metadata.ts';
import { type DrillthroughResult, MdxError, MdxLimitError } from '../mdx/index.ts';
import { itemsNamed, quoteName } from '../schema/mdx-name.ts';
import type { Answer } from './answer/make-answer.ts';
import { domainOf } from './compile/compile-mdx.ts';
import { within } from './execute/cached-mdx.ts';
import { type AxisSelection, lastShown, type ResolvedQuery } from './resolve/resolved-query.ts';

/** Maximum of positions that are offered if one cannot be drilled through. */
const MAX_POSITIONS = 20;

export interface Drill {
  readonly mdx: string;
  readonly measure: MeasureMetadata;
}

/**
 * Returns the statement of a cell. `column` counts the measure columns of the answer, `row` its rows, both from 0.
 *
 * @throws ForbiddenError for a masked cell, because its rows would reveal what the mask hides
 */
export function drill(
  query: ResolvedQuery,
  answer: Answer,
  { column, row }: { readonly column: number; readonly row: number },
  returns: readonly string[] | undefined,
  { view }: Pick<CubeTarget, 'view'>,
): Drill {
  const { measures } = query;
  const width = answer.columns.length * measures.length;
  const at = answer.rows[row];
  const tuple = answer.columns[Math.floor(column / measures.length)];
  const measure = measures[column % measures.length];
  if (at === undefined || tuple === undefined || measure === undefined) {
    const size = `${width} columns and ${answer.rows.length} rows`;
    throw ValidationError.at(['position'], `The answer has ${size}; position is col:row, and both begin with 0.`);
  }
  if (!measure.stored) {
    throw ValidationError.at(
      ['position'],
      `${measure.name} is calculated: there are no rows behind it. Take a column of a stored measure.`,
      Array.from({ length: width }, (_, index) => index)
        .filter((index) => measures[index % measures.length]?.stored === true)
        .slice(0, MAX_POSITIONS)
        .map((index) => `${index}:${row}`),
    );
  }
  if (at.cells[column]?.suppressed === true) {
    throw new ForbiddenError('This cell is masked, for it counts too few; the rows behind it are not shown.');
  }
  const slicer = [
    ...query.rows.map((selection, index) => chosen(selection, at.members[index]?.uniqueName ?? '')),
    ...query.columns.map((selection, index) => chosen(selection, tuple.members[index]?.uniqueName ?? '')),
    ...query.slicer.map(({ hierarchy, conditions }) => domainOf(hierarchy, conditions).set),
  ];
  const where = slicer.length === 0 ? '' : ` WHERE ${slicer.reduce((left, right) => `CrossJoin(${left}, ${right})`)}`;
  const shown = returns === undefined ? everything(view, measure) : named(returns, view);
  return {
    measure,
    mdx: `DRILLTHROUGH SELECT {${measure.uniqueName}} ON COLUMNS FROM ${quoteName(query.cube)}${where} RETURN ${shown.join(', ')}`,
  };
}

/** Returns the member, or the part of it that the filters of its hierarchy leave. */
function chosen(selection: AxisSelection, member: string): string {
  const { hierarchy, conditions } = selection;
  const { level } = lastShown(selection);
  const domain = domainOf(hierarchy, conditions, level);
  return domain.level.depth === level.depth
    ? `{${member}}`
    : `Intersect(Descendants({${member}}, ${domain.level.uniqueName}), ${domain.set})`;
}

/**
 * Lists every level that the caller may see and that the measure's facts reach, without personal data, and the measure.
 */
function everything({ dimensions }: CubeMetadata, measure: MeasureMetadata): readonly string[] {
  const levels = dimensions
    .filter(({ groups }) => measure.groups.every((group) => groups.includes(group)))
    .flatMap(({ hierarchies }) => hierarchies.flatMap((each) => each.levels));
  return [...levels.filter(({ isAll }) => !isAll).map(({ uniqueName }) => uniqueName), measure.uniqueName];
}

/** Resolves the names in `returns` to unique names of the cube. */
function named(returns: readonly string[], { dimensions, measures }: CubeMetadata): readonly string[] {
  const levels = dimensions
    .flatMap(({ hierarchies }) => hierarchies.flatMap((each) => each.levels))
    .filter(({ isAll }) => !isAll);
  const stored = measures.filter((measure) => measure.stored);
  const items = [...levels, ...stored];
  const problems = new ProblemList();
  const columns = returns.flatMap((text) => {
    const byUniqueName = itemsNamed(items, text, ({ uniqueName }) => [uniqueName]);
    const matching = byUniqueName.length > 0 ? byUniqueName : itemsNamed(items, text, ({ name }) => [name]);
    const [item, ...others] = matching;
    if (item !== undefined && others.length === 0) return [item.uniqueName];
    const message =
      item === undefined
        ? `"${text}" is no level or stored measure of the cube.`
        : `"${text}" is a name of several; give the unique name of one.`;
    problems.add(['returns'], message, () =>
      nearestFirst(
        text,
        (item === undefined ? items : matching).map((each) => each.uniqueName),
      ),
    );
    return [];
  });
  problems.throwAll();
  return columns;
}

export interface RowsOfDrill {
  readonly user: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Place of a mistake in the choice of the cell or of the returned columns. */
  readonly place: string;
}

/** Reads the rows of a drill-through. */
export function rowsOf(
  { mdx }: Drill,
  { engine, access }: Pick<CubeTarget, 'engine' | 'access'>,
  { user, maxRows, timeoutMs, signal, place }: RowsOfDrill,
): Promise<DrillthroughResult> {
  return within(timeoutMs, signal, (stop) =>
    engine.drillthrough(mdx, { ...access, user, maxRows, signal: stop }).catch((error: unknown) => {
      // The statement is generated, so an error is caused by the choice of the cell or of the returned columns.
      if (!(error instanceof MdxError) || error instanceof MdxLimitError) throw error;
      throw ValidationError.at([place], error.message);
    }),
  );
}

/** Returns a key for each column: its caption, with its name where several have that caption. */
export function columnKeys({ columns }: DrillthroughResult): readonly string[] {
  const captions = columns.map(({ caption }) => caption);
  return columns.map(({ caption, name }, index) =>
    captions.indexOf(caption) === captions.lastIndexOf(caption) ? (captions[index] ?? name) : `${caption} (${name})`,
  );
}

/** Converts a value for JSON. Whole numbers that no double represents become texts. */
export function plain(value: Scalar): Exclude<Scalar, bigint> {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'bigint') return value;
  const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSafe ? Number(value) : String(value);
}

/** Splits `[Store].[Store State], [Measures].[Unit Sales]` into its parts. Commas in brackets do not split. */
export function returnsOf(text: string): readonly string[] {
  return (text.match(/(?:\[(?:[^\]]|\]\])*\]|[^,[\]])+/g) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
