import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';

/** A place in a document: `['semantic_model', 0, 'metrics', 3]`. */
export type Place = readonly (string | number)[];

/** Describes a place in the words and lines of the document. */
export interface Locator {
  lineOf(place: Place): number | undefined;
  /** Names a place: `metric net_sales`, `dataset orders, field status`; empty for the document itself. */
  nameOf(place: Place): string;
}

/**
 * Problems of one document. An `error` refuses the whole document; a `warning` names an element that is left out. Only
 * fields and metrics are left out, because nothing is joined through them. A dataset or a relationship that cannot be used
 * is an error, because without it another join path could silently become the only one.
 */
export class Problems {
  readonly #locator: Locator;
  readonly #list: DatasourceProblem[] = [];

  constructor(locator: Locator) {
    this.#locator = locator;
  }

  error(place: Place, message: string): void {
    this.#add('error', place, message);
  }

  warn(place: Place, message: string): void {
    this.#add('warning', place, message);
  }

  #add(severity: DatasourceProblem['severity'], place: Place, message: string): void {
    const element = this.#locator.nameOf(place);
    this.#list.push({
      message: element === '' ? message : `${element}: ${message}`,
      line: this.#locator.lineOf(place),
      severity,
    });
  }

  get all(): readonly DatasourceProblem[] {
    return this.#list;
  }

  get fatal(): boolean {
    return this.#list.some((problem) => problem.severity === 'error');
  }
}
