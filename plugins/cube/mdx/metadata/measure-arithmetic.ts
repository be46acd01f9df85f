import type * as model from '../../schema/model.ts';

/** Arithmetic of stored measures, such as a margin or a ratio, as a calculated measure has it. */
export type MeasureArithmetic =
  | { readonly kind: 'measure'; readonly measure: model.Measure }
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'operation';
      readonly operator: ArithmeticOperator;
      readonly left: MeasureArithmetic;
      readonly right: MeasureArithmetic;
    };

export type ArithmeticOperator = '+' | '-' | '*' | '/';

/** Returns the measures of the arithmetic, each once. */
export function measuresIn(value: MeasureArithmetic): readonly model.Measure[] {
  if (value.kind === 'number') return [];
  if (value.kind === 'measure') return [value.measure];
  return [...new Set([...measuresIn(value.left), ...measuresIn(value.right)])];
}

/** Returns whether the value is certainly empty where all measures that pass the test are. */
export function isEmptyWhere(value: MeasureArithmetic, isEmpty: (measure: model.Measure) => boolean): boolean {
  if (value.kind === 'number') return false;
  if (value.kind === 'measure') return isEmpty(value.measure);
  const [left, right] = [isEmptyWhere(value.left, isEmpty), isEmptyWhere(value.right, isEmpty)];
  switch (value.operator) {
    case '+':
    case '-':
      return left && right;
    case '*':
      return left || right;
    case '/':
      return left;
  }
}

/** Returns whether the value is certainly not empty where no measure that passes the test is. */
export function isFilledWhere(value: MeasureArithmetic, isFilled: (measure: model.Measure) => boolean): boolean {
  if (value.kind === 'number') return true;
  if (value.kind === 'measure') return isFilled(value.measure);
  const [left, right] = [isFilledWhere(value.left, isFilled), isFilledWhere(value.right, isFilled)];
  switch (value.operator) {
    case '+':
    case '-':
      return left || right;
    case '*':
      return left && right;
    case '/':
      return left;
  }
}
