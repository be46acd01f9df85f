import type { Answer } from '../api/parse-answer.ts';
import { listMembers } from './members.ts';
import type { ChartTheme } from './theme.ts';

/** Members of a dimension above which it gives no colours to the other charts of a dashboard. */
const MAX_SHARED_MEMBERS = 24;

/** Assigns colours to members, so that one member has one colour in all charts of a dashboard. */
export interface MemberColours {
  /** Identifies the assignment: charts with equal keys have equal colours. */
  readonly key: string;
  /** Returns the place of a member in the palette. */
  readonly slot: (dimension: string, member: string) => number;
}

const coloursByAnswer = new WeakMap<Answer['rows'], MemberColours>();

/** Assigns the colours of `answer`, after the colours of the answers before it on its dashboard. */
export function assignColours(answer: Answer, peers: readonly Answer[]): MemberColours {
  const known = coloursByAnswer.get(answer.rows);
  const slots = new Map<string, Map<string, number>>();
  for (const { key, type } of answer.columns) {
    if (type !== 'dimension') continue;
    const ofDimension = new Map<string, number>();
    const shared = peers.flatMap((peer) => membersOf(peer, key, MAX_SHARED_MEMBERS));
    for (const member of [...shared, ...membersOf(answer, key, Number.POSITIVE_INFINITY)])
      if (!ofDimension.has(member)) ofDimension.set(member, ofDimension.size);
    slots.set(key, ofDimension);
  }
  const key = [...slots].map(([dimension, members]) => `${dimension}:${[...members.keys()].slice(0, 200)}`).join('\n');
  // The same assignment is the same object, so that unchanged charts are not drawn again.
  if (known?.key === key) return known;
  const colours: MemberColours = { key, slot: (dimension, member) => slots.get(dimension)?.get(member) ?? 0 };
  coloursByAnswer.set(answer.rows, colours);
  return colours;
}

function membersOf(answer: Answer, key: string, most: number): readonly string[] {
  const position = answer.columns.findIndex((column) => column.key === key && column.type === 'dimension');
  if (position < 0) return [];
  const members = [...listMembers(answer, position).keys()];
  return members.length <= most ? members : [];
}

/** Returns the colour at a place of the palette: eight hues, then their shades. */
export function paletteColour(theme: ChartTheme, slot: number): string {
  return theme.series[slot % theme.series.length] ?? theme.text;
}
