/** Path templates: `{name}` matches one segment, `{name+}` one or more segments with their slashes. */

export interface Segment {
  readonly kind: 'literal' | 'one' | 'many';
  readonly text: string;
}

export interface Template {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly parameters: readonly string[];
  /** A key that is equal for two templates that match the same paths: `/schema/{}`. */
  readonly shape: string;
}

export function parseTemplate(path: string): Template {
  const segments = path.split('/').slice(1).map(parseSegment);
  if (segments.filter((segment) => segment.kind === 'many').length > 1) {
    throw new Error(`${path} has more than one parameter of several segments`);
  }
  return {
    path,
    segments,
    parameters: segments.filter((segment) => segment.kind !== 'literal').map((segment) => segment.text),
    shape: `/${segments.map(({ kind, text }) => (kind === 'literal' ? text : kind === 'one' ? '{}' : '{+}')).join('/')}`,
  };
}

function parseSegment(text: string): Segment {
  const match = /^\{(\w+)(\+?)\}$/.exec(text);
  if (match?.[1] === undefined) return { kind: 'literal', text };
  return { kind: match[2] === '+' ? 'many' : 'one', text: match[1] };
}

/**
 * Returns the parameters of a path that fits the template, each segment percent-decoded on its own, or `undefined`.
 * A segment that cannot be decoded fits nothing.
 */
export function matchTemplate(template: Template, rawSegments: readonly string[]): Record<string, string> | undefined {
  const extra = rawSegments.length - template.segments.length;
  const hasMany = template.segments.some((segment) => segment.kind === 'many');
  if (extra < 0 || (extra > 0 && !hasMany)) return undefined;
  const parameters: Record<string, string> = {};
  let at = 0;
  for (const segment of template.segments) {
    const width = segment.kind === 'many' ? extra + 1 : 1;
    const decoded = rawSegments.slice(at, at + width).map(decodeSegment);
    at += width;
    const text = decoded.join('/');
    if (decoded.includes(undefined)) return undefined;
    if (segment.kind === 'literal') {
      if (text !== segment.text) return undefined;
    } else if (text === '') return undefined;
    else parameters[segment.text] = text;
  }
  return parameters;
}

function decodeSegment(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    // Not percent-encoding: no operation has such a path.
    return undefined;
  }
}

/** Orders templates so that the more literal one is tried first. */
export function moreSpecificFirst(left: Template, right: Template): number {
  const length = Math.max(left.segments.length, right.segments.length);
  for (let i = 0; i < length; i++) {
    const difference = rank(left.segments[i]) - rank(right.segments[i]);
    if (difference !== 0) return difference;
  }
  return right.segments.length - left.segments.length;
}

function rank(segment: Segment | undefined): number {
  switch (segment?.kind) {
    case 'literal':
      return 0;
    case 'one':
      return 1;
    case 'many':
      return 2;
    case undefined:
      return 3;
  }
}
