/** What the user wants of the reading of files and of the joins between them. */
import type { Join } from './joins.ts';
import type { ReadingChoices } from './reading.ts';

/** The part of the page where the user chose last. */
export type ReadingPlace = 'losses' | 'joins' | 'profile';

export interface ReadingWish {
  /** The choices at last, and before each of them. */
  readonly readings: readonly ReadingChoices[];
  readonly joins: readonly Join[];
  readonly place: ReadingPlace;
}

/** Why the files could not be read as the user chose. */
export interface ReadingProblem {
  readonly place: ReadingPlace;
  readonly message: string;
}

/** What a part of the page shows about the choice that was made in it. */
export interface ReadingNotice {
  /** Whether the choice is being followed. */
  readonly isWorking: boolean;
  /** Why it could not be followed; empty where it could. */
  readonly problem: string;
}

export const NO_NOTICE: ReadingNotice = { isWorking: false, problem: '' };

export const FIRST_READING: ReadingWish = { readings: [{}], joins: [], place: 'losses' };

/** Returns whether two wishes lead to the same model. */
export function isSameWish(one: ReadingWish, other: ReadingWish): boolean {
  const facts = ({ readings, joins }: ReadingWish) => JSON.stringify([readings, joins]);
  return facts(one) === facts(other);
}
