/** Names that are given once each, whatever their letter case. */
export class Names {
  readonly #taken = new Set<string>();

  free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
