import { AsyncResource, type ResourceState } from '../api/async-resource.ts';
import { type Access, encodePath, type Source, send } from '../api/client.ts';
import { Failure } from '../api/failure.ts';
import { isRecord, readBoolean, readList, readRecord, readText } from '../api/json.ts';
import { FILTER_CONTROLS } from '../generated/closed-lists.ts';

type Value = string | number | boolean;

/** What a visitor may choose from in one filter. */
export interface Offer {
  readonly label: string;
  readonly control: (typeof FILTER_CONTROLS)[number];
  readonly values: readonly { readonly value: Value; readonly label: string }[];
  /** Whether a search finds more values. */
  readonly truncated: boolean;
  readonly range: { readonly least: string; readonly greatest: string } | undefined;
}

/** Pause after a keystroke before the server searches. */
const SETTLE_MS = 200;

/** Reads the values of one filter, and searches them on the server. */
export class OfferReader {
  /** The values without a search: they decide which control is shown. */
  readonly whole: AsyncResource<Offer>;
  #found: AsyncResource<Offer> | undefined;
  readonly #read: (text: string, signal: AbortSignal) => Promise<Offer>;
  readonly #changed: (failure: Failure | undefined) => void;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  text = '';

  constructor(read: (text: string, signal: AbortSignal) => Promise<Offer>, changed: (failure?: Failure) => void) {
    this.#read = read;
    this.#changed = changed;
    this.whole = new AsyncResource({ read: (signal) => read('', signal), onSettled: changed });
  }

  /** The values to show: those that the search found. */
  get state(): ResourceState<Offer> {
    return this.#found?.state ?? this.whole.state;
  }

  search(text: string): void {
    this.text = text;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      this.#found?.stop();
      this.#found =
        text.trim() === ''
          ? undefined
          : new AsyncResource({ read: (signal) => this.#read(text.trim(), signal), onSettled: this.#changed });
      this.#found?.start();
      this.#changed(undefined);
    }, SETTLE_MS);
  }

  stop(): void {
    clearTimeout(this.#waiting);
    this.whole.stop();
    this.#found?.stop();
  }
}

/** Reads the values of a field of a query, or of a filter tile. */
export async function readOffer(
  source: Source,
  access: Access,
  filter: { readonly id: string; readonly text: string },
  signal: AbortSignal,
): Promise<Offer> {
  const { kind, path } = source;
  const query = new URLSearchParams({
    ...(kind === 'query' ? { field: filter.id } : {}),
    ...(filter.text === '' ? {} : { q: filter.text }),
    ...(source.filter === undefined ? {} : { filter: source.filter }),
  });
  const place = kind === 'query' ? '' : `/tiles/${encodePath(filter.id)}`;
  const response = await send(source, access, `${kind}/${encodePath(path)}${place}/values?${query}`, signal);
  try {
    return parseOffer(await response.json());
  } catch {
    throw new Failure('INVALID_ANSWER');
  }
}

function parseOffer(json: unknown): Offer {
  const offer = readRecord(json);
  const written = readText(offer.control);
  const range = isRecord(offer.range) ? offer.range : undefined;
  return {
    label: readText(offer.label),
    control: FILTER_CONTROLS.find((each) => each === written) ?? 'list',
    values: readList(offer.values).map((each) => {
      const { value, label } = readRecord(each);
      return {
        value: typeof value === 'number' || typeof value === 'boolean' ? value : readText(value),
        label: readText(label),
      };
    }),
    truncated: readBoolean(offer.truncated),
    range: range && { least: String(range.least), greatest: String(range.greatest) },
  };
}
