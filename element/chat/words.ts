/** The words of the page around a chart. The chart brings its own, from the server. */
const ENGLISH = {
  loading: 'The answer is being read …',
  chart: 'Chart',
  table: 'Table',
  views: 'View',
  about: 'Ask about {0}',
  question: 'Tell me more about {0} in “{1}”.',
  sent: 'The question was sent to the chat.',
  notSent: 'The chat did not take the question.',
  failed: 'The answer cannot be shown',
  cancelled: 'The question was cancelled.',
  again: 'Try again',
  noCalls: 'This chat does not let charts read their data.',
  hint: 'Click a value to ask about it.',
};

export type Words = typeof ENGLISH;

const GERMAN: Words = {
  loading: 'Die Antwort wird gelesen …',
  chart: 'Diagramm',
  table: 'Tabelle',
  views: 'Ansicht',
  about: 'Nach {0} fragen',
  question: 'Erzähle mir mehr über {0} in „{1}“.',
  sent: 'Die Frage wurde an den Chat gesendet.',
  notSent: 'Der Chat hat die Frage nicht angenommen.',
  failed: 'Die Antwort kann nicht gezeigt werden',
  cancelled: 'Die Frage wurde abgebrochen.',
  again: 'Erneut versuchen',
  noCalls: 'Dieser Chat lässt Diagramme ihre Daten nicht lesen.',
  hint: 'Klicken Sie einen Wert an, um nach ihm zu fragen.',
};

/** Returns the words of a language, or the English ones. */
export function wordsFor(locale: string): Words {
  return /^de\b/i.test(locale) ? GERMAN : ENGLISH;
}

/** Fills the places of a text, `{0}` first. */
export function fill(text: string, ...values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
