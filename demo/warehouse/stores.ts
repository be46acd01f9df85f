import type { Random } from './random.ts';

export type StoreFormat = 'Flagship' | 'Standard' | 'Compact';
export const STORE_FORMATS: readonly StoreFormat[] = ['Flagship', 'Standard', 'Compact'];

export interface Store {
  readonly storeId: number;
  readonly name: string;
  readonly region: string;
  readonly country: string;
  readonly city: string;
  /** Latitude of the city's centre in degrees north. */
  readonly latitude: number;
  /** Longitude of the city's centre in degrees east. */
  readonly longitude: number;
  readonly format: StoreFormat;
  readonly openedOn: string;
  readonly floorArea: number;
  /** Orders relative to other stores on a day when both are open. */
  readonly demand: number;
}

/** Maps `country: region` to stores, one per line: city, street or quarter, format, opening date. */
const CHAIN: Readonly<Record<string, readonly string[]>> = {
  'North/Denmark': [
    'Copenhagen|Strøget|F|2009-03-14',
    'Copenhagen|Vesterbro|C|2019-09-05',
    'Aarhus|Latin Quarter|S|2012-05-11',
    'Odense|Vestergade|S|2015-10-02',
  ],
  'North/Sweden': [
    'Stockholm|Drottninggatan|F|2010-08-21',
    'Stockholm|Södermalm|C|2018-04-13',
    'Gothenburg|Avenyn|S|2013-03-22',
    'Malmö|Södra Förstadsgatan|S|2014-09-19',
  ],
  'North/Norway': ['Oslo|Karl Johan|S|2014-05-09', 'Bergen|Torgallmenningen|S|2017-06-16'],
  'North/Finland': ['Helsinki|Aleksanterinkatu|S|2015-03-27', 'Tampere|Hämeenkatu|C|2023-09-14'],
  'West/Netherlands': [
    'Amsterdam|Kalverstraat|F|2008-04-05',
    'Amsterdam|De Pijp|C|2017-11-10',
    'Rotterdam|Witte de With|S|2011-09-23',
    'Utrecht|Oudegracht|S|2012-10-12',
    'Eindhoven|Vrijstraat|C|2024-04-18',
  ],
  'West/Belgium': ['Brussels|Rue Neuve|S|2011-03-18', 'Antwerp|Meir|S|2013-09-06', 'Ghent|Veldstraat|C|2018-10-19'],
  'West/France': [
    'Paris|Rue de Rivoli|F|2010-05-15',
    'Paris|Le Marais|C|2016-03-11',
    'Lyon|Part-Dieu|S|2012-04-20',
    'Marseille|La Canebière|S|2014-10-03',
    'Toulouse|Capitole|S|2016-09-16',
    'Bordeaux|Sainte-Catherine|S|2017-04-07',
    'Lille|Grand Place|C|2019-05-17',
    'Nantes|Graslin|C|2024-09-12',
  ],
  'Central/Germany': [
    'Berlin|Kurfürstendamm|F|2009-09-12',
    'Berlin|Prenzlauer Berg|C|2018-03-16',
    'Hamburg|Spitalerstraße|S|2010-10-08',
    'Munich|Sendlinger Straße|F|2011-05-28',
    'Munich|Schwabing|C|2020-02-14',
    'Cologne|Schildergasse|S|2012-09-14',
    'Frankfurt|Zeil|S|2013-04-12',
    'Stuttgart|Königstraße|S|2014-04-25',
    'Leipzig|Petersstraße|S|2016-05-20',
    'Düsseldorf|Altstadt|C|2021-10-15',
  ],
  'Central/Austria': [
    'Vienna|Mariahilfer Straße|F|2012-03-31',
    'Vienna|Neubau|C|2022-05-06',
    'Graz|Herrengasse|S|2015-09-25',
    'Salzburg|Getreidegasse|C|2017-10-27',
  ],
  'Central/Czechia': ['Prague|Na Příkopě|S|2016-10-14', 'Brno|Masarykova|C|2023-04-20'],
  'Central/Poland': [
    'Warsaw|Nowy Świat|S|2017-09-22',
    'Kraków|Floriańska|S|2019-03-29',
    'Wrocław|Świdnicka|C|2025-03-13',
  ],
  'South/Italy': [
    'Milan|Via Torino|F|2011-10-01',
    'Milan|Navigli|C|2019-10-04',
    'Rome|Via del Corso|S|2013-05-24',
    'Turin|Via Roma|S|2015-04-17',
    'Bologna|Via Rizzoli|S|2018-05-25',
    'Naples|Via Toledo|C|2024-05-23',
  ],
  'South/Spain': [
    'Madrid|Gran Vía|F|2012-10-20',
    'Madrid|Malasaña|C|2020-09-18',
    'Barcelona|Portal de l’Àngel|S|2014-03-14',
    'Valencia|Colón|S|2016-04-29',
    'Seville|Calle Sierpes|S|2018-09-21',
  ],
  'South/Portugal': ['Lisbon|Chiado|S|2015-05-15', 'Porto|Santa Catarina|C|2021-04-23'],
};

/** Latitude and longitude of each city's centre, in degrees north and east. */
const CENTRES: Readonly<Record<string, readonly [number, number]>> = {
  Copenhagen: [55.68, 12.57],
  Aarhus: [56.16, 10.2],
  Odense: [55.4, 10.39],
  Stockholm: [59.33, 18.07],
  Gothenburg: [57.71, 11.97],
  Malmö: [55.6, 13],
  Oslo: [59.91, 10.75],
  Bergen: [60.39, 5.32],
  Helsinki: [60.17, 24.94],
  Tampere: [61.5, 23.76],
  Amsterdam: [52.37, 4.9],
  Rotterdam: [51.92, 4.48],
  Utrecht: [52.09, 5.12],
  Eindhoven: [51.44, 5.47],
  Brussels: [50.85, 4.35],
  Antwerp: [51.22, 4.4],
  Ghent: [51.05, 3.72],
  Paris: [48.86, 2.35],
  Lyon: [45.76, 4.84],
  Marseille: [43.3, 5.37],
  Toulouse: [43.6, 1.44],
  Bordeaux: [44.84, -0.58],
  Lille: [50.63, 3.06],
  Nantes: [47.22, -1.55],
  Berlin: [52.52, 13.4],
  Hamburg: [53.55, 9.99],
  Munich: [48.14, 11.58],
  Cologne: [50.94, 6.96],
  Frankfurt: [50.11, 8.68],
  Stuttgart: [48.78, 9.18],
  Leipzig: [51.34, 12.37],
  Düsseldorf: [51.23, 6.78],
  Vienna: [48.21, 16.37],
  Graz: [47.07, 15.44],
  Salzburg: [47.8, 13.05],
  Prague: [50.08, 14.44],
  Brno: [49.2, 16.61],
  Warsaw: [52.23, 21.01],
  Kraków: [50.06, 19.94],
  Wrocław: [51.11, 17.04],
  Milan: [45.46, 9.19],
  Rome: [41.9, 12.5],
  Turin: [45.07, 7.69],
  Bologna: [44.49, 11.34],
  Naples: [40.85, 14.27],
  Madrid: [40.42, -3.7],
  Barcelona: [41.39, 2.17],
  Valencia: [39.47, -0.38],
  Seville: [37.39, -5.98],
  Lisbon: [38.72, -9.14],
  Porto: [41.15, -8.61],
};

const FORMATS = {
  F: { format: 'Flagship', demand: 2.6, area: 1600 },
  S: { format: 'Standard', demand: 1, area: 720 },
  C: { format: 'Compact', demand: 0.48, area: 260 },
} as const;

const isFormatCode = (code: string): code is keyof typeof FORMATS => code in FORMATS;

export function stores(random: Random): readonly Store[] {
  const lines = Object.entries(CHAIN).flatMap(([place, entries]) =>
    entries.map((entry) => `${place.replace('/', '|')}|${entry}`),
  );
  return lines.map((line, index) => {
    const [region = '', country = '', city = '', quarter = '', code = '', openedOn = ''] = line.split('|');
    if (!isFormatCode(code)) throw new RangeError(`store format ${code}`);
    const { format, demand, area } = FORMATS[code];
    const [latitude, longitude] = CENTRES[city] ?? [];
    if (latitude === undefined || longitude === undefined) throw new RangeError(`centre of ${city}`);
    return {
      storeId: index + 1,
      name: `${city} ${quarter}`,
      region,
      country,
      city,
      latitude,
      longitude,
      format,
      openedOn,
      floorArea: Math.round((area * (0.8 + random.next() * 0.45)) / 10) * 10,
      demand: demand * (0.7 + random.next() * 0.65),
    };
  });
}
