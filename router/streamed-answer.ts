/** An answer that REST sends in pieces while it comes. Only REST operations answer it. */
export interface StreamedAnswerParts {
  readonly contentType: string;
  /** The name to save it under. */
  readonly name: string;
  readonly pieces: AsyncGenerator<string | Uint8Array, void, undefined>;
  /** Returns the trailers, which are known after the last piece. */
  readonly trailers: () => Readonly<Record<string, string>>;
  /** The names of the trailers. */
  readonly trailerNames: readonly string[];
  /** Writes a failure as the last piece; absent where the format has no place for it, and the connection breaks instead. */
  readonly failurePiece?: ((body: Readonly<Record<string, unknown>>) => string) | undefined;
}

export class StreamedAnswer {
  readonly parts: StreamedAnswerParts;

  constructor(parts: StreamedAnswerParts) {
    this.parts = parts;
  }

  /**
   * Returns the answer with its failures: in the format's own words, else by a broken connection.
   *
   * @param bodyOf returns the body of a failure, and logs it
   */
  withFailures(bodyOf: (thrown: unknown) => Readonly<Record<string, unknown>>): StreamedAnswer {
    const { pieces, failurePiece } = this.parts;
    return new StreamedAnswer({
      ...this.parts,
      pieces: (async function* () {
        try {
          yield* pieces;
        } catch (thrown) {
          const body = bodyOf(thrown);
          if (failurePiece === undefined) throw thrown;
          yield failurePiece(body);
        }
      })(),
    });
  }
}
