/** An element with its line in the schema's text. */
export interface Located {
  readonly line: number;
}
