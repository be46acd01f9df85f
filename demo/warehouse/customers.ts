import { NAMES } from './names.ts';
import type { Random } from './random.ts';
import type { Store } from './stores.ts';

export interface Customer {
  readonly customerId: number;
  readonly fullName: string;
  readonly email: string;
  /** Undefined where the customer did not give it. */
  readonly birthYear: number | undefined;
  readonly segment: string;
  readonly city: string;
  readonly country: string;
}

/** Describes the customers of one city, who have consecutive ids. */
export interface Clientele {
  readonly city: string;
  readonly firstCustomerId: number;
  readonly count: number;
}

const SEGMENTS = [
  'Families',
  'Families',
  'Young Professionals',
  'Young Professionals',
  'Home Makers',
  'Home Makers',
  'Students',
  'Best Agers',
  'Trade',
];
const BIRTH_YEARS: Readonly<Record<string, readonly [number, number]>> = {
  Students: [1999, 2007],
  'Young Professionals': [1987, 2000],
  Families: [1975, 1993],
  'Best Agers': [1942, 1966],
};
/** Domains that RFC 2606 reserves, so that no message to a fictional customer reaches anybody. */
const DOMAINS = ['example.com', 'example.net', 'example.org'];

function plainLetters(text: string): string {
  const spelled = text
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l');
  return spelled.normalize('NFD').replace(/[^a-z]/g, '');
}

function customer(customerId: number, city: string, country: string, random: Random): Customer {
  const names = NAMES[country];
  if (names === undefined) throw new RangeError(`no names for ${country}`);
  const givenName = random.pick(names.given);
  const family = random.pick(names.family);
  const segment = random.pick(SEGMENTS);
  const [earliest, latest] = BIRTH_YEARS[segment] ?? [1955, 2000];
  const birthYear = earliest + random.below(latest - earliest + 1);
  return {
    customerId,
    fullName: `${givenName} ${family}`,
    email: `${plainLetters(givenName)}.${plainLetters(family)}${customerId}@${random.pick(DOMAINS)}`,
    birthYear: random.next() < 0.06 ? undefined : birthYear,
    segment,
    city,
    country,
  };
}

/** Creates `count` customers, spread over the cities by their stores' demand. */
export function customers(
  stores: readonly Store[],
  count: number,
  random: Random,
): { readonly customers: readonly Customer[]; readonly clienteles: readonly Clientele[] } {
  const cities = new Map<string, { country: string; demand: number }>();
  for (const { city, country, demand } of stores) {
    cities.set(city, { country, demand: (cities.get(city)?.demand ?? 0) + demand });
  }
  const total = stores.reduce((sum, { demand }) => sum + demand, 0);
  const made: Customer[] = [];
  const clienteles: Clientele[] = [];
  let reached = 0;
  for (const [city, { country, demand }] of cities) {
    reached += demand;
    const firstCustomerId = made.length + 1;
    const upTo = Math.round((reached / total) * count);
    for (let id = firstCustomerId; id <= upTo; id++) made.push(customer(id, city, country, random));
    clienteles.push({ city, firstCustomerId, count: made.length - firstCustomerId + 1 });
  }
  return { customers: made, clienteles };
}
