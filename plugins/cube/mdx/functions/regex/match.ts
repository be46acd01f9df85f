import { LRUCache } from 'lru-cache';
import { parsePattern } from './parse.ts';
import { type Assertion, type CodePoints, MAX_INSTRUCTIONS, MAX_STEPS, type Pattern, PatternError } from './pattern.ts';

/**
 * Matches regular expressions with all that Java's have save references back to groups, in a number of steps that the
 * pattern and the text bound: no state is gone through twice. Libraries that are linear have no possessive
 * quantifiers, no atomic groups and no looking around; those that have them take exponential time.
 */

type Instruction =
  | { readonly do: 'one'; readonly of: CodePoints }
  /** Goes on at either place, the first one being tried first. */
  | { readonly do: 'split'; readonly first: number; readonly second: number }
  | { readonly do: 'jump'; readonly to: number }
  | { readonly do: 'assert'; readonly holds: Assertion }
  | { readonly do: 'atomic'; readonly program: Program }
  | { readonly do: 'look'; readonly program: Program; readonly isBehind: boolean; readonly isNegative: boolean };

/** It has matched where it ends. */
type Program = readonly Instruction[];

const COMPILED = new LRUCache<string, Program>({ max: 200 });

/**
 * Tells whether a pattern describes the whole text.
 *
 * @throws PatternError where the pattern is none, or takes too many steps.
 */
export function matchesWhole(text: string, source: string): boolean {
  let program = COMPILED.get(source);
  if (program === undefined) {
    program = compile(parsePattern(source), { left: MAX_INSTRUCTIONS });
    COMPILED.set(source, program);
  }
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return endOf(program, codes, 0, { left: MAX_STEPS }, codes.length) !== undefined;
}

/** What may still be used. */
interface Budget {
  left: number;
}

function compile(pattern: Pattern, budget: Budget): Program {
  const program: Instruction[] = [];
  const count = (): void => {
    budget.left -= 1;
    if (budget.left < 0) throw new PatternError(`it repeats more than ${MAX_INSTRUCTIONS} parts`);
  };
  const add = (instruction: Instruction): number => {
    count();
    return program.push(instruction) - 1;
  };
  const emit = (part: Pattern): void => {
    switch (part.kind) {
      case 'one':
        add({ do: 'one', of: part.of });
        return;
      case 'assert':
        add({ do: 'assert', holds: part.holds });
        return;
      case 'sequence':
        part.items.forEach(emit);
        return;
      case 'choice':
        emitChoice(part.branches);
        return;
      case 'repeat':
        emitRepeat(part);
        return;
      case 'atomic':
        add({ do: 'atomic', program: compile(part.body, budget) });
        return;
      case 'look': {
        const { isBehind, isNegative } = part;
        add({ do: 'look', program: compile(part.body, budget), isBehind, isNegative });
      }
    }
  };
  const emitChoice = (branches: readonly Pattern[]): void => {
    const ends: number[] = [];
    for (const [index, branch] of branches.entries()) {
      const isLast = index === branches.length - 1;
      const split = isLast ? undefined : add({ do: 'jump', to: 0 });
      emit(branch);
      if (split === undefined) continue;
      ends.push(add({ do: 'jump', to: 0 }));
      program[split] = { do: 'split', first: split + 1, second: program.length };
    }
    for (const end of ends) program[end] = { do: 'jump', to: program.length };
  };
  /** Emits the body and then `behind`, or at once what follows. */
  const emitOptional = (isLazy: boolean, inside: () => void): void => {
    const split = add({ do: 'jump', to: 0 });
    inside();
    const [inner, after] = [split + 1, program.length];
    program[split] = { do: 'split', first: isLazy ? after : inner, second: isLazy ? inner : after };
  };
  const emitRepeat = ({ body, min, max, isLazy }: Pattern & { readonly kind: 'repeat' }): void => {
    for (let time = 0; time < min; time++) {
      count(); // Also of a body that is nothing.
      emit(body);
    }
    if (max === Number.POSITIVE_INFINITY) {
      const start = program.length;
      emitOptional(isLazy, () => {
        emit(body);
        add({ do: 'jump', to: start });
      });
      return;
    }
    for (let time = min; time < max; time++) emitOptional(isLazy, () => emit(body));
  };
  emit(pattern);
  return program;
}

/** Returns where a match that begins at a place ends, the preferred one of several; with `end` only one that ends there. */
function endOf(
  program: Program,
  text: readonly number[],
  from: number,
  budget: Budget,
  end?: number,
): number | undefined {
  const width = text.length + 1;
  const seen = new Set<number>();
  const states = [from];
  for (let state = states.pop(); state !== undefined; state = states.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    budget.left -= 1;
    if (budget.left < 0) throw new PatternError(`it takes more than ${MAX_STEPS} steps`);
    const [at, place] = [Math.floor(state / width), state % width];
    const instruction = program[at];
    if (instruction === undefined) {
      if (end === undefined || place === end) return place;
      continue;
    }
    if (instruction.do === 'split') {
      states.push(instruction.second * width + place, instruction.first * width + place);
      continue;
    }
    if (instruction.do === 'jump') {
      states.push(instruction.to * width + place);
      continue;
    }
    const next = after(instruction, text, place, budget);
    if (next !== undefined) states.push((at + 1) * width + next);
  }
  return undefined;
}

/** Returns where the text goes on behind an instruction that looks at it. */
function after(
  instruction: Exclude<Instruction, { readonly do: 'split' | 'jump' }>,
  text: readonly number[],
  place: number,
  budget: Budget,
): number | undefined {
  switch (instruction.do) {
    case 'one': {
      const code = text[place];
      return code !== undefined && instruction.of(code) ? place + 1 : undefined;
    }
    case 'assert':
      return instruction.holds(text, place) ? place : undefined;
    case 'atomic':
      return endOf(instruction.program, text, place, budget);
    case 'look':
      return sees(instruction, text, place, budget) === instruction.isNegative ? undefined : place;
  }
}

function sees(
  { program, isBehind }: Instruction & { readonly do: 'look' },
  text: readonly number[],
  place: number,
  budget: Budget,
): boolean {
  if (!isBehind) return endOf(program, text, place, budget) !== undefined;
  for (let start = place; start >= 0; start--) {
    if (endOf(program, text, start, budget, place) !== undefined) return true;
  }
  return false;
}
