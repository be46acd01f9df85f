import { CELL_FORMATTER_SCRIPT } from '../../schema/shared-elements/calculated.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { scriptValue } from '../metadata/script-member.ts';
import type { Value } from '../metadata/value.ts';
import { formatValue } from '../metadata/value-format.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { declaredProperty, formatOf } from './cell-properties.ts';
import type { CompiledQuery } from './compiled-query.ts';

/** Returns the text of the cell at the context. */
export type CellText = (evaluator: Evaluator, value: Value) => string;

/** Returns the formatter of a query's cells. It uses the formats of members, or their formatter scripts. */
export function cellText({ scope: { scripts }, hasCellFormatters }: CompiledQuery, locale: string): CellText {
  const byFormat: CellText = (evaluator, value) => formatValue(value, formatOf(evaluator), locale);
  if (!hasCellFormatters || scripts === undefined) return byFormat;
  return (evaluator, value) => {
    const source = declaredProperty(evaluator, CELL_FORMATTER_SCRIPT);
    if (typeof source !== 'string') return byFormat(evaluator, value);
    const language = declaredProperty(evaluator, `${CELL_FORMATTER_SCRIPT}_LANGUAGE`) ?? 'JavaScript';
    if (String(language).toLowerCase() !== 'javascript')
      throw new MdxEvaluationError(`The cell formatter is a script in ${language}; only JavaScript runs here.`);
    return scripts.formattedCell(source, scriptValue(value));
  };
}
