/** Finds the column by which the average of a rate is weighted: the count or amount that the rate is of. Pure. */
import { measureTrait } from '../detect/column-traits.ts';
import type { ColumnView, TableView } from '../detect/column-views.ts';

/** Words of rates with the words of their weights, each as an expression over the words of a name. The first match counts. */
const WEIGHTS: readonly { readonly rate: RegExp; readonly weight: RegExp }[] = [
  { rate: /\bctr\b|click ?through|klickrate/, weight: /impression|einblendung|view/ },
  { rate: /\bcpm\b/, weight: /impression|einblendung/ },
  { rate: /\bcpc\b/, weight: /click|klick/ },
  { rate: /conversion|konversion/, weight: /session|sitzung|visit|besuch|click|klick|lead/ },
  {
    rate: /\b(open|öffnung|oeffnung|unsubscribe|delivery|zustell)/,
    weight: /sent|delivered|recipient|empfänger|versendet/,
  },
  { rate: /bounce|absprung/, weight: /session|sitzung|visit|besuch|sent|versendet/ },
  {
    rate: /occupancy|utili[sz]ation|auslastung|belegung|load factor/,
    weight: /capacity|kapazität|kapazitaet|seat|sitz|\bbed|bett|room|zimmer|available|verfügbar|plätze/,
  },
  {
    rate: /rating|\bscore|review|bewertung|satisfaction|zufriedenheit|\bnps\b/,
    weight: /rating|review|bewertung|vote|stimme|respon|antwort/,
  },
  {
    rate: /unemployment|arbeitslos|poverty|armut|literacy|birth|geburt|death|sterbe|per capita|pro kopf/,
    weight: /population|einwohner|bevölkerung|inhabitant/,
  },
  { rate: /\bgpa\b|\bgrade\b|\bnote\b|zensur/, weight: /credit|ects|student|schüler|schueler|pupil/ },
  { rate: /interest|\bzins|coupon|\bapr\b/, weight: /principal|loan|outstanding|notional|darlehen|kredit|nominal/ },
  {
    rate: /defect|scrap|reject|yield|ausschuss|fehler/,
    weight: /produced|output|production|quantity|\bqty|menge|piece|stück/,
  },
  {
    rate: /discount|rabatt|skonto|\btax|\bvat\b|steuersatz|mwst|margin|marge|spanne|commission|provision/,
    weight: /revenue|umsatz|turnover|sale|amount|betrag|\bnet\b|netto|gross|brutto|total|erlös/,
  },
  {
    rate: /price|preis|\bsrp\b|(cost|kosten) (per|pro|je)|stückkosten/,
    weight: /quantity|\bqty|menge|stückzahl|\bunit|piece|stück|absatz|volume/,
  },
  {
    rate: /\b(avg|average|mean|durchschnitt|mittel)/,
    weight: /count|anzahl|\bnumber\b|quantity|\bqty|menge|\border|transaction/,
  },
];
/** Names of columns that weight every rate beside them. */
const EXPLICIT = /^(sample size|sample n|n ob|weighting|weight factor|gewichtung|stichprobe|stichprobengröße)$/;
/** Words of shares and rates of any kind, and of the counts that they may be of. */
const RATE = /\b(rate|ratio|pct|percent|percentage|share|prozent)\b|rate$|quote$|anteil$/;
const COUNT = /\b(count|anzahl|quantity|qty|menge|volume)\b/;

/**
 * Returns the column that weights the average of a rate; `undefined` where no column, or more than one, may be meant.
 * A weight adds up, is never negative, and is in the same table.
 */
export function weightOf(rate: ColumnView, { columns }: TableView): ColumnView | undefined {
  const name = rate.words.join(' ');
  const weights = columns.filter((column) => column !== rate && isWeight(column));
  const matching = (words: RegExp): readonly ColumnView[] => weights.filter((column) => words.test(wordsOf(column)));
  const explicit = columns.filter((column) => column !== rate && EXPLICIT.test(wordsOf(column)) && isPositive(column));
  if (explicit.length > 0) return onlyOne(explicit);
  const rule = WEIGHTS.find((each) => each.rate.test(name));
  if (rule !== undefined) return onlyOne(matching(rule.weight));
  // A count of the rate's own words is a part of it: `defect_count` beside `defect_rate`.
  const own = new Set(rate.words.filter((word) => !RATE.test(word)));
  return RATE.test(name)
    ? onlyOne(matching(COUNT).filter(({ words }) => !words.some((word) => own.has(word))))
    : undefined;
}

function wordsOf({ words }: ColumnView): string {
  return words.join(' ');
}

function isWeight(column: ColumnView): boolean {
  return measureTrait(column)?.aggregator === 'sum' && isPositive(column);
}

function isPositive({ range }: ColumnView): boolean {
  return range === undefined || range[0] >= 0;
}

function onlyOne(columns: readonly ColumnView[]): ColumnView | undefined {
  return columns.length === 1 ? columns[0] : undefined;
}
