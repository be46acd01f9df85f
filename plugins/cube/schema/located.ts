/** A part of a schema's text. */
export interface Located {
  readonly line: number;
}
