/** Makes names unique, whatever their letter case. */
export class Names {
  readonly #taken = new Set<string>();

  /** Returns the first of the names that is free, else the last with a number, and takes it. */
  free(...preferred: readonly [string, ...string[]]): string {
    const base = preferred.at(-1) ?? preferred[0];
    let name = preferred.find((each) => !this.#taken.has(each.toLowerCase())) ?? base;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) name = `${base} ${number}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
