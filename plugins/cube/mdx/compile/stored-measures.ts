import type * as model from '../../schema/model.ts';
import type { Member } from '../metadata/member.ts';
import type { Calc } from './calc.ts';

/** Returns the stored measure that a calculation consists of; `undefined` if it contains anything else. */
export function storedMeasureOf(calc: Calc | undefined): model.Measure | undefined {
  return storedMeasureMemberOf(calc)?.measure;
}

/** Returns the member of the stored measure that a calculation consists of; see `storedMeasureOf`. */
export function storedMeasureMemberOf(calc: Calc | undefined): Member | undefined {
  if (calc === undefined) return undefined;
  if (calc.kind === 'member') return calc.constant?.measure === undefined ? undefined : calc.constant;
  const [only] = calc.parts;
  return calc.kind === 'scalar' && calc.call === undefined && calc.parts.length === 1
    ? storedMeasureMemberOf(only)
    : undefined;
}

/**
 * Returns the stored measures that a member needs: if all of them are empty, the member is empty. Returns `undefined`
 * if the member may still have a value, or if it uses other cells.
 */
export function contributingMeasures(member: Member): readonly model.Measure[] | undefined {
  if (member.measure !== undefined) return [member.measure];
  return member.hierarchy.isMeasures ? member.calculation?.contributingMeasures?.() : undefined;
}

/** Returns the stored measures that a formula needs; see `contributingMeasures`. */
export function contributingMeasuresOf(calc: Calc): readonly model.Measure[] | undefined {
  if (calc.kind === 'member') return calc.constant === undefined ? undefined : contributingMeasures(calc.constant);
  if (calc.kind !== 'scalar' || 'constant' in calc) return undefined;
  const [left, right, other] = calc.parts;
  if (left === undefined) return undefined;
  if (calc.call === undefined) return calc.parts.length === 1 ? contributingMeasuresOf(left) : undefined;
  switch (calc.call.shape) {
    case '+':
    case '-':
      // Empty plus empty is empty; empty plus 5 is 5.
      return right === undefined ? contributingMeasuresOf(left) : both(left, right);
    case '*':
      return right === undefined ? undefined : (contributingMeasuresOf(left) ?? contributingMeasuresOf(right));
    case '/':
      return contributingMeasuresOf(left); // Empty divided by anything is empty.
    case 'conditional':
      return right === undefined || other === undefined ? undefined : both(right, other);
    default:
      return undefined;
  }
}

function both(left: Calc, right: Calc): readonly model.Measure[] | undefined {
  const [first, second] = [contributingMeasuresOf(left), contributingMeasuresOf(right)];
  return first === undefined || second === undefined ? undefined : [...new Set([...first, ...second])];
}
