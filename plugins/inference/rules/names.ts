/** Names that are given once each, whatever their letter case. */
export class Names {
  readonly #taken = new Set<string>();

  /** Returns the first of the names that is free, else the last with a number, and takes it. */
  free(...wanted: readonly [string, ...string[]]): string {
    const base = wanted.at(-1) ?? wanted[0];
    let name = wanted.find((each) => !this.#taken.has(each.toLowerCase())) ?? base;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) name = `${base} ${number}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
