/**
 * Reads the annotations of a cube schema that this surface uses: `service.semantic.*` on measures, levels and their
 * parents.
 */
import { jsonOrUndefined } from '../../../router/json.ts';
import type { Described } from '../schema/model.ts';

export interface Annotations {
  readonly description: string | undefined;
  readonly synonyms: readonly string[];
  /** The unit of a measure, from `.unit` or `.currency`. */
  readonly unit: string | undefined;
  readonly aggregationKind: string | undefined;
  readonly cardinality: string | undefined;
  readonly grain: string | undefined;
  /** Levels or dimensions that a request must filter or show for the measure to be meaningful. */
  readonly requiredFilters: readonly string[];
  /** True for personal data: no answer contains it, and nobody can name it. */
  readonly pii: boolean;
  /** True if the author has confirmed or denied it, so that no suggestion is needed. */
  readonly piiStated: boolean;
}

const PREFIX = 'service.semantic.';

export function annotationsOf({
  annotations,
  description,
}: Pick<Described, 'annotations' | 'description'>): Annotations {
  const byName = new Map([...annotations].map(([name, value]) => [name.trim().toLowerCase(), value.trim()]));
  const text = (name: string) => byName.get(PREFIX + name) || undefined;
  const pii = text('pii');
  return {
    description: text('description') ?? description,
    synonyms: list(text('synonyms')),
    unit: text('unit') ?? text('currency'),
    aggregationKind: text('aggregation_kind'),
    cardinality: text('cardinality'),
    grain: text('grain'),
    requiredFilters: list(text('required_filters')),
    // Everything except a clear denial counts as yes, so that a typing mistake hides data instead of showing it.
    pii: pii !== undefined && !/^(false|no|0)$/i.test(pii),
    piiStated: pii !== undefined,
  };
}

/** Reads a list: `a, b`, or a JSON array of texts. */
function list(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const written = text.startsWith('[') ? (jsonTexts(text) ?? text.split(',')) : text.split(/[,;]/);
  return [...new Set(written.map((each) => each.trim()).filter((each) => each !== ''))];
}

function jsonTexts(text: string): readonly string[] | undefined {
  // A unique name in brackets looks like the start of a JSON list.
  const value = jsonOrUndefined(text);
  return Array.isArray(value) ? value.map(String) : undefined;
}
