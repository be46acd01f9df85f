import { BEST_SELLERS, CATALOG, type Category } from './catalog.ts';
import type { Random } from './random.ts';

export interface Product {
  readonly productId: number;
  readonly sku: string;
  readonly name: string;
  readonly brand: string;
  readonly category: Category;
  readonly subcategory: string;
  /** Current list price and cost in cents. */
  readonly listCents: number;
  readonly costCents: number;
  readonly launchedYear: number;
  /** Rank 1 sells best. */
  readonly rank: number;
}

type Unranked = Omit<Product, 'rank'> & { readonly score: number };

/** Rounds to a shelf price: whole tens end in .90 or .00, small prices in .49, .95 or .99. */
function shelfPrice(cents: number, random: Random): number {
  const whole = Math.max(1, Math.round(cents / 100));
  if (whole >= 100) return whole * 100 - (whole % 2 === 0 ? 0 : 10);
  return whole * 100 - random.pick([1, 5, 5, 10, 51]);
}

function* unranked(random: Random): Generator<Unranked> {
  let productId = 0;
  for (const category of CATALOG) {
    for (const [subcategory, { things, finishes }] of Object.entries(category.subcategories)) {
      for (const entry of things.split(', ')) {
        const cut = entry.lastIndexOf(' ');
        const euros = Number(entry.slice(cut + 1));
        for (const finish of finishes.split(', ')) {
          productId++;
          const name = `${finish} ${entry.slice(0, cut)}`;
          const listCents = shelfPrice(euros * 100 * (0.82 + random.next() * 0.42), random);
          const best = BEST_SELLERS.indexOf(name);
          yield {
            productId,
            sku: `${category.name.slice(0, 2).toUpperCase()}-${String(10_000 + productId * 7).padStart(5, '0')}`,
            name,
            brand: random.pick(category.brands),
            category,
            subcategory,
            listCents,
            costCents: Math.round(listCents * (category.cost + (random.next() - 0.5) * 0.14)),
            launchedYear: 2012 + random.below(11),
            // Cheap products rank higher.
            score: best >= 0 ? best - BEST_SELLERS.length : random.next() * (1 + listCents / 2_500),
          };
        }
      }
    }
  }
}

export function products(random: Random): readonly Product[] {
  const all = [...unranked(random)];
  const order = all.toSorted((left, right) => left.score - right.score || left.productId - right.productId);
  const ranks = new Map(order.map(({ productId }, index) => [productId, index + 1]));
  return all.map(({ score: _score, ...product }) => ({
    ...product,
    rank: ranks.get(product.productId) ?? all.length,
  }));
}

/**
 * Weighs the sales of a product relative to the others, before season and format. It falls with the rank, never to
 * zero.
 */
export function popularity({ rank, category }: Product): number {
  return category.weight / (rank + 14);
}
