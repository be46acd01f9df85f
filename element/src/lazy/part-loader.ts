import type { ElementParts, LazyPart, PartName } from '../types.ts';

const styleSheets = new Map<string, CSSStyleSheet>();

/** Loads the parts of one element, each on its first use. */
export class PartLoader {
  readonly #load: <N extends PartName>(name: N) => Promise<ElementParts[N]>;
  readonly #changed: (failed: boolean) => void;
  readonly #parts = new Map<PartName, LazyPart<PartName>>();

  constructor(load: <N extends PartName>(name: N) => Promise<ElementParts[N]>, changed: (failed: boolean) => void) {
    this.#load = load;
    this.#changed = changed;
  }

  /** Returns the part. The first call loads it. */
  get<N extends PartName>(name: N, root: ShadowRoot): LazyPart<N> {
    if (!this.#parts.has(name)) {
      this.#parts.set(name, 'loading');
      this.#load(name).then(
        (part) => {
          this.#parts.set(name, part);
          adoptStyles(root, part.styles);
          this.#changed(false);
        },
        // A host page's CSP may refuse the file. The views then show a fallback.
        () => {
          this.#parts.set(name, 'failed');
          this.#changed(true);
        },
      );
    }
    // The map contains, under each name, the part that `#load` returned for that name.
    return this.#parts.get(name) as LazyPart<N>;
  }

  /** Returns whether a part is loading. */
  get isLoading(): boolean {
    return [...this.#parts.values()].includes('loading');
  }

  /** Forgets failed parts, so that the next use loads them again. */
  forgetFailures(): void {
    for (const [name, part] of this.#parts) if (part === 'failed') this.#parts.delete(name);
  }

  *[Symbol.iterator](): Iterator<ElementParts[PartName]> {
    for (const part of this.#parts.values()) if (typeof part === 'object') yield part;
  }
}

function adoptStyles(root: ShadowRoot, styles: string | undefined): void {
  if (styles === undefined) return;
  let sheet = styleSheets.get(styles);
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    styleSheets.set(styles, sheet);
  }
  root.adoptedStyleSheets.push(sheet);
}
