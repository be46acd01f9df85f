/**
 * Aggregate tables of FoodMart's sales: the one that its schema declares (and excludes, as its data are not delivered), and a
 * smaller one by month, store and department of products.
 */
export const FOODMART_AGGREGATES: readonly string[] = [
  `CREATE TABLE agg_c_special_sales_fact_1997 AS SELECT s.product_id, s.customer_id, s.promotion_id, s.store_id,
    t.the_year AS time_year, t.quarter AS time_quarter, t.month_of_year AS time_month, SUM(s.unit_sales) AS unit_sales_sum,
    SUM(s.store_cost) AS store_cost_sum, SUM(s.store_sales) AS store_sales_sum, COUNT(*) AS fact_count
    FROM sales_fact_1997 AS s JOIN time_by_day AS t ON t.time_id = s.time_id
    GROUP BY s.product_id, s.customer_id, s.promotion_id, s.store_id, t.the_year, t.quarter, t.month_of_year`,
  `CREATE TABLE agg_small_sales_fact_1997 AS SELECT s.store_id, t.the_year, t.quarter, t.month_of_year, c.product_family,
    c.product_department, SUM(s.unit_sales) AS unit_sales, SUM(s.store_cost) AS store_cost, SUM(s.store_sales) AS store_sales, COUNT(*) AS n
    FROM sales_fact_1997 AS s JOIN time_by_day AS t ON t.time_id = s.time_id JOIN product AS p ON p.product_id = s.product_id
    JOIN product_class AS c ON c.product_class_id = p.product_class_id
    GROUP BY s.store_id, t.the_year, t.quarter, t.month_of_year, c.product_family, c.product_department`,
];

/** The names of these tables. */
export const FOODMART_AGGREGATE_NAMES = /agg_(?:c_special|small)_sales_fact_1997/;

const SMALL = `<AggName name="agg_small_sales_fact_1997"><AggFactCount column="n"/>
  <AggMeasureFactCount column="n" factColumn="product_id"/><AggForeignKey factColumn="store_id" aggColumn="store_id"/>
  <AggMeasure name="[Measures].[Unit Sales]" column="unit_sales"/><AggMeasure name="[Measures].[Store Cost]" column="store_cost"/>
  <AggMeasure name="[Measures].[Store Sales]" column="store_sales"/>
  <AggLevel name="[Time].[Year]" column="the_year"/><AggLevel name="[Time].[Quarter]" column="quarter"/>
  <AggLevel name="[Time].[Month]" column="month_of_year"/><AggLevel name="[Product].[Product Family]" column="product_family"/>
  <AggLevel name="[Product].[Product Department]" column="product_department"/></AggName>`;

/** Returns FoodMart's schema, or one made of it, with both tables declared for the cube Sales; any other text unchanged. */
export function withFoodmartAggregates(schema: string): string {
  return schema
    .replace('<AggExclude name="agg_c_special_sales_fact_1997" />', '')
    .replace('<AggName name="agg_c_special_sales_fact_1997">', (declared) => `${SMALL}\n${declared}`);
}
