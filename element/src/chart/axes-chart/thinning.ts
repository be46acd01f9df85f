import type { Answer } from '../../api/parse-answer.ts';
import type { Formats } from '../../formats.ts';
import { MAX_LINE_POINTS } from '../../limits.ts';
import type { Frame } from '../frame.ts';

/** Thins lines of very many points. It is loaded when an answer has as many. */
export interface ThinningPart {
  readonly thinLines: (frame: Frame, formats: Pick<Formats, 'number' | 'say'>) => Frame;
}

let part: ThinningPart | undefined;

/** Adds the part once it is loaded. */
export function addThinning(loaded: ThinningPart): void {
  part = loaded;
}

/** Returns whether the lines of an answer have to wait for the part. */
export function lacksThinning({ rows }: Answer): boolean {
  return part === undefined && rows.length > MAX_LINE_POINTS;
}

/** Thins the lines of a frame where they have more points than a screen can show. */
export const thinLines: ThinningPart['thinLines'] = (frame, formats) => part?.thinLines(frame, formats) ?? frame;
