/** Something that stands in the text of a schema. */
export interface Located {
  readonly line: number;
}
