/** Returns the form of a noun that follows a count: `row` after 1, `rows` after any other number. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
