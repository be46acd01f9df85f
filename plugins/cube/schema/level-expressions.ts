import type { Expression, Level } from './model.ts';

/** Returns all expressions that a level reads from its hierarchy's relation. */
export function expressionsOf(level: Level): readonly Expression[] {
  return [
    level.key,
    level.nameExpression,
    level.captionExpression,
    level.parent?.expression,
    ...level.ordinals.map(({ expression }) => expression),
    ...level.properties.map(({ expression }) => expression),
  ].filter((expression) => expression !== undefined);
}
