/** Schemas with the foreign keys, measures and dates that their authors declare: the reference for the detectors. */

export interface KnownSchema {
  readonly name: string;
  /** Statements for DuckDB. */
  readonly setUp: readonly string[];
  /** `table(column) -> table(column)`. */
  readonly foreignKeys: readonly string[];
  readonly measures: readonly string[];
  readonly personalData: readonly string[];
  /** Dates that one may group by: no keys, and no personal ones. */
  readonly dateColumns: readonly string[];
  /** Primary keys: `table(column,column)`. */
  readonly keys: readonly string[];
  /** `table.column unit`. */
  readonly units: readonly string[];
  /** `table: coarse > fine`. */
  readonly hierarchies: readonly string[];
}

export const NOTHING_KNOWN: Omit<KnownSchema, 'name' | 'setUp'> = {
  foreignKeys: [],
  measures: [],
  personalData: [],
  dateColumns: [],
  keys: [],
  units: [],
  hierarchies: [],
};

/** A star whose facts have three dates and two places, each a role of one table. */
export const ROLE_STAR: KnownSchema = {
  name: 'star with roles',
  setUp: [
    "CREATE TABLE d_calendar AS SELECT CAST(strftime(d, '%Y%m%d') AS INTEGER) AS date_key, CAST(d AS DATE) AS full_date, year(d) AS year_no, quarter(d) AS quarter_no, month(d) AS month_no FROM (SELECT DATE '2022-01-01' + CAST(range AS INTEGER) AS d FROM range(1095))",
    "CREATE TABLE d_airport AS SELECT 500 + range AS airport_sk, 'AP' || range AS iata, 'City ' || (range // 2) AS city, 'Country ' || (range // 10) AS country FROM range(80)",
    "CREATE TABLE d_carrier AS SELECT 1 + range AS carrier_sk, 'Carrier ' || range AS carrier_name FROM range(12)",
    "CREATE TABLE d_passenger AS SELECT 1 + range AS passenger_sk, 'Name ' || range AS full_name, 'p' || range || '@mail.example' AS email, 1950 + range % 50 AS birth_year FROM range(3000)",
    `CREATE TABLE f_booking AS SELECT 100000 + range AS booking_no,
       CAST(strftime(DATE '2022-01-01' + CAST(range * 7 % 900 AS INTEGER), '%Y%m%d') AS INTEGER) AS booked_date_key,
       CAST(strftime(DATE '2022-01-01' + CAST(range * 7 % 900 + 30 AS INTEGER), '%Y%m%d') AS INTEGER) AS depart_date_key,
       CAST(strftime(DATE '2022-01-01' + CAST(range * 7 % 900 + 40 AS INTEGER), '%Y%m%d') AS INTEGER) AS return_date_key,
       500 + range * 13 % 80 AS origin_airport_sk, 500 + range * 29 % 80 AS destination_airport_sk,
       1 + range % 12 AS carrier_sk, 1 + range * 17 % 3000 AS passenger_sk, 1 + range % 4 AS seats,
       CAST(50 + range % 900 + 0.25 AS DECIMAL(10,2)) AS fare_amount, CASE range % 3 WHEN 0 THEN 'web' WHEN 1 THEN 'app' ELSE 'desk' END AS channel
     FROM range(40000)`,
  ],
  foreignKeys: [
    'f_booking(booked_date_key) -> d_calendar(date_key)',
    'f_booking(depart_date_key) -> d_calendar(date_key)',
    'f_booking(return_date_key) -> d_calendar(date_key)',
    'f_booking(origin_airport_sk) -> d_airport(airport_sk)',
    'f_booking(destination_airport_sk) -> d_airport(airport_sk)',
    'f_booking(carrier_sk) -> d_carrier(carrier_sk)',
    'f_booking(passenger_sk) -> d_passenger(passenger_sk)',
  ],
  measures: ['f_booking.seats', 'f_booking.fare_amount'],
  personalData: ['d_passenger.full_name', 'd_passenger.email', 'd_passenger.birth_year'],
  dateColumns: ['d_calendar.full_date'],
  keys: [
    'd_calendar(date_key)',
    'd_airport(airport_sk)',
    'd_carrier(carrier_sk)',
    'd_passenger(passenger_sk)',
    'f_booking(booking_no)',
  ],
  units: [],
  hierarchies: ['d_airport: country > city'],
};

/** A snowflake: keys of two columns, names without meaning, and one misleading name. */
export const SNOWFLAKE: KnownSchema = {
  name: 'snowflake, misleading names',
  setUp: [
    "CREATE TABLE lands AS SELECT 'L' || range AS land_code, 'Land ' || range AS land_name FROM range(9)",
    "CREATE TABLE plants AS SELECT 'P' || lpad(CAST(range AS VARCHAR), 3, '0') AS plant_code, 'L' || (range % 9) AS located_in, 'Plant ' || range AS plant_name FROM range(30)",
    "CREATE TABLE bins AS SELECT 'P' || lpad(CAST(p.range AS VARCHAR), 3, '0') AS plant_code, b.range + 1 AS bin_no, 20 + b.range * 5 AS capacity_kg FROM range(30) p, range(12) b",
    "CREATE TABLE materials AS SELECT 7000 + range * 3 AS material_no, 'Material ' || range AS label, 'G' || (range % 14) AS grp, CAST(1 + range % 40 AS DECIMAL(8,2)) AS unit_price FROM range(400)",
    "CREATE TABLE material_groups AS SELECT 'G' || range AS group_code, 'Group ' || range AS group_label FROM range(14)",
    "CREATE TABLE partners AS SELECT 90000 + range * 7 AS partner_no, 'Partner ' || range AS company_name, 'L' || (range % 9) AS land_code FROM range(250)",
    // `customer_code` is the material and not a customer; `ref_no` is the partner.
    `CREATE TABLE movements AS SELECT range + 1 AS movement_no, 'P' || lpad(CAST(range % 30 AS VARCHAR), 3, '0') AS src_plant, 1 + range * 5 % 12 AS src_bin_no,
       7000 + (range * 11 % 400) * 3 AS customer_code, 90000 + (range * 23 % 250) * 7 AS ref_no, DATE '2023-01-01' + CAST(range % 365 AS INTEGER) AS moved_on,
       1 + range % 50 AS quantity, CAST((range % 500) + 0.5 AS DECIMAL(10,2)) AS cost_eur FROM range(30000)`,
  ],
  foreignKeys: [
    'plants(located_in) -> lands(land_code)',
    'bins(plant_code) -> plants(plant_code)',
    'materials(grp) -> material_groups(group_code)',
    'partners(land_code) -> lands(land_code)',
    'movements(src_plant) -> plants(plant_code)',
    'movements(src_plant,src_bin_no) -> bins(plant_code,bin_no)',
    'movements(customer_code) -> materials(material_no)',
    'movements(ref_no) -> partners(partner_no)',
  ],
  measures: ['bins.capacity_kg', 'materials.unit_price', 'movements.quantity', 'movements.cost_eur'],
  personalData: [],
  dateColumns: ['movements.moved_on'],
  keys: [
    'lands(land_code)',
    'plants(plant_code)',
    'bins(plant_code,bin_no)',
    'materials(material_no)',
    'material_groups(group_code)',
    'partners(partner_no)',
    'movements(movement_no)',
  ],
  units: ['bins.capacity_kg kg', 'movements.cost_eur EUR'],
  hierarchies: [],
};

/**
 * The tables of an application, as an object-relational mapper makes them: every key is called `id`, references are
 * camelCase, some are UUIDs, some have another integer type. A warehouse's `dim_` and `fact_` tables have surrogate
 * and natural keys.
 */
export const APPLICATION: KnownSchema = {
  name: 'application, camelCase',
  setUp: [
    "CREATE TABLE countries AS SELECT ['DE','FR','IT','ES','NL','BE','AT','CH'][CAST(range AS INTEGER) + 1] AS code, ['Germany','France','Italy','Spain','Netherlands','Belgium','Austria','Switzerland'][CAST(range AS INTEGER) + 1] AS label FROM range(8)",
    "CREATE TABLE addresses AS SELECT CAST(range + 1 AS INTEGER) AS id, range || ' Long Street' AS street, lpad(CAST(1067 + range * 7 AS VARCHAR), 5, '0') AS postalCode, 'City ' || (range // 5) AS city, ['DE','FR','IT','ES','NL','BE','AT','CH'][CAST(range // 5 % 8 AS INTEGER) + 1] AS countryCode FROM range(900)",
    "CREATE TABLE users AS SELECT CAST(md5('u' || range) AS UUID) AS id, 'user' || range || '@mail.example' AS email, 'First ' || range % 40 AS firstName, 'Last ' || range AS lastName, CASE WHEN range > 0 THEN CAST(md5('u' || range // 10) AS UUID) END AS referredById, TIMESTAMP '2022-01-01 10:00:00' + range * INTERVAL 3 HOUR AS signedUpAt, 'v' || range % 2 AS etag FROM range(1200)",
    "CREATE TABLE categories AS SELECT CAST(range + 1 AS SMALLINT) AS id, 'Category ' || range AS name, CASE WHEN range >= 6 THEN CAST(range % 6 + 1 AS SMALLINT) END AS parentCategoryId FROM range(40)",
    "CREATE TABLE suppliers AS SELECT lpad(CAST(range * 3 + 11 AS VARCHAR), 6, '0') AS supplierNo, 'Supplier ' || range AS companyName FROM range(60)",
    "CREATE TABLE product AS SELECT CAST(range + 1 AS BIGINT) AS id, 'SKU-' || lpad(CAST(range * 13 AS VARCHAR), 7, '0') AS sku, 'Product ' || range AS title, CAST(range % 40 + 1 AS INTEGER) AS categoryId, lpad(CAST(range * 7 % 60 * 3 + 11 AS VARCHAR), 6, '0') AS supplierNo, CAST(5 + range % 90 + 0.49 AS DECIMAL(9,2)) AS listPrice, range % 3 = 0 AS isActive FROM range(500)",
    "CREATE TABLE orderStatuses AS SELECT ['NEW','PAID','SENT','DONE','BACK'][CAST(range AS INTEGER) + 1] AS code, 'Status ' || range AS description FROM range(5)",
    `CREATE TABLE orders AS SELECT CAST(range + 1 AS BIGINT) AS id, CAST(md5('u' || range * 7 % 1200) AS UUID) AS userId, CAST(range * 11 % 900 + 1 AS BIGINT) AS billingAddressId, CAST(range * 17 % 900 + 1 AS BIGINT) AS shippingAddressId,
       ['NEW','PAID','SENT','DONE','BACK'][CAST(range % 5 AS INTEGER) + 1] AS statusCode, DATE '2023-01-01' + CAST(range % 700 AS INTEGER) AS orderedOn, CAST(range % 300 + 0.95 AS DECIMAL(12,2)) AS shippingCost_eur FROM range(8000)`,
    `CREATE TABLE order_items AS SELECT CAST(range // 3 % 8000 + 1 AS BIGINT) AS orderId, CAST(range % 3 + 1 AS TINYINT) AS lineNo, CAST(range * 19 % 500 + 1 AS INTEGER) AS productId, CAST(1 + range % 6 AS SMALLINT) AS quantity, CAST(3 + range % 77 + 0.5 AS DECIMAL(9,2)) AS unitPrice FROM range(24000)`,
    // An empty table.
    'CREATE TABLE reviews (id BIGINT, productId BIGINT, userId UUID, stars INTEGER)',
    // No key at all, and rows that are there twice.
    "CREATE TABLE pageViews AS SELECT CAST(md5('u' || range * 3 % 1200) AS UUID) AS userId, '/p/' || range % 90 AS path, TIMESTAMP '2023-05-01 00:00:00' + (range % 5000) * INTERVAL 1 MINUTE AS viewedAt, CAST(100 + range % 4000 AS INTEGER) AS loadTime_ms FROM range(5000) UNION ALL SELECT CAST(md5('u1') AS UUID), '/p/1', TIMESTAMP '2023-05-01 00:00:00', 100 FROM range(2)",
    "CREATE TABLE dim_store AS SELECT 1000 + range AS store_sk, 'S' || lpad(CAST(range AS VARCHAR), 4, '0') AS store_code, 'Store ' || range AS store_name, 'Town ' || (range // 2) AS city, 'Province ' || (range // 8) AS province, 'Country ' || (range // 24) AS country FROM range(72)",
    "CREATE TABLE fact_visits AS SELECT 1000 + range * 5 % 72 AS store_sk, 'S' || lpad(CAST(range * 5 % 72 AS VARCHAR), 4, '0') AS store_code, DATE '2023-01-01' + CAST(range % 365 AS INTEGER) AS visit_date, CAST(range % 60 AS INTEGER) AS visitors, CAST(range % 500 AS DECIMAL(10,2)) AS turnover_chf FROM range(9000)",
  ],
  foreignKeys: [
    'addresses(countryCode) -> countries(code)',
    'users(referredById) -> users(id)',
    'categories(parentCategoryId) -> categories(id)',
    'product(categoryId) -> categories(id)',
    'product(supplierNo) -> suppliers(supplierNo)',
    'orders(userId) -> users(id)',
    'orders(billingAddressId) -> addresses(id)',
    'orders(shippingAddressId) -> addresses(id)',
    'orders(statusCode) -> orderStatuses(code)',
    'order_items(orderId) -> orders(id)',
    'order_items(productId) -> product(id)',
    'pageViews(userId) -> users(id)',
    'fact_visits(store_sk) -> dim_store(store_sk)',
    'fact_visits(store_code) -> dim_store(store_code)',
  ],
  measures: [
    'product.listPrice',
    'orders.shippingCost_eur',
    'order_items.quantity',
    'order_items.unitPrice',
    'pageViews.loadTime_ms',
    'fact_visits.visitors',
    'fact_visits.turnover_chf',
  ],
  personalData: ['addresses.street', 'users.email', 'users.firstName', 'users.lastName'],
  dateColumns: ['users.signedUpAt', 'orders.orderedOn', 'pageViews.viewedAt', 'fact_visits.visit_date'],
  keys: [
    'countries(code)',
    'addresses(id)',
    'users(id)',
    'categories(id)',
    'suppliers(supplierNo)',
    'product(id)',
    'orderStatuses(code)',
    'orders(id)',
    'order_items(orderId,lineNo)',
    'dim_store(store_sk)',
  ],
  units: ['orders.shippingCost_eur EUR', 'pageViews.loadTime_ms ms', 'fact_visits.turnover_chf CHF'],
  hierarchies: ['addresses: countryCode > city > postalCode', 'dim_store: country > province > city'],
};

/** The demo's warehouse; its statements are `demo/warehouse`. */
export const DEMO: Omit<KnownSchema, 'setUp'> = {
  name: 'demo warehouse',
  foreignKeys: [
    'inventory(snapshot_date) -> calendar(date)',
    'inventory(store_id) -> stores(store_id)',
    'inventory(product_id) -> products(product_id)',
    'sales(date) -> calendar(date)',
    'sales(store_id) -> stores(store_id)',
    'sales(product_id) -> products(product_id)',
    'sales(customer_id) -> customers(customer_id)',
  ],
  measures: [
    'inventory.units_on_hand',
    'inventory.units_on_order',
    'inventory.stock_value',
    'products.list_price',
    'products.unit_cost',
    'sales.quantity',
    'sales.gross_amount',
    'sales.discount_amount',
    'sales.net_amount',
    'sales.cost_amount',
    'stores.floor_area_m2',
  ],
  personalData: ['customers.full_name', 'customers.email', 'customers.birth_year'],
  dateColumns: ['stores.opened_on', 'calendar.date'],
  keys: [
    'calendar(date)',
    'stores(store_id)',
    'products(product_id)',
    'customers(customer_id)',
    'sales(sale_id)',
    'inventory(snapshot_date,store_id,product_id)',
  ],
  units: ['stores.floor_area_m2 m²'],
  hierarchies: [
    'stores: region > country > city',
    'products: category > subcategory',
    'customers: home_country > home_city',
  ],
};

const perFact = (fact: string, ...keys: readonly string[]) => keys.map((key) => `${fact}(${key}`);
const SALES_KEYS = [
  'product_id) -> product(product_id)',
  'time_id) -> time_by_day(time_id)',
  'customer_id) -> customer(customer_id)',
  'promotion_id) -> promotion(promotion_id)',
  'store_id) -> store(store_id)',
] as const;
const INVENTORY_KEYS = [
  'product_id) -> product(product_id)',
  'time_id) -> time_by_day(time_id)',
  'warehouse_id) -> warehouse(warehouse_id)',
  'store_id) -> store(store_id)',
] as const;

/** FoodMart, by its documentation and its cube schema; `reserve_employee` refers to no department that is there. */
export const FOODMART: Omit<KnownSchema, 'setUp'> = {
  name: 'FoodMart',
  foreignKeys: [
    ...perFact('sales_fact_1997', ...SALES_KEYS),
    ...perFact('sales_fact_dec_1998', ...SALES_KEYS),
    ...perFact('inventory_fact_1997', ...INVENTORY_KEYS),
    ...perFact('inventory_fact_1998', ...INVENTORY_KEYS),
    'account(account_parent) -> account(account_id)',
    'currency(date) -> time_by_day(the_date)',
    'customer(customer_region_id) -> region(region_id)',
    'employee(position_id) -> position(position_id)',
    'employee(store_id) -> store(store_id)',
    'employee(department_id) -> department(department_id)',
    'employee(supervisor_id) -> employee(employee_id)',
    'employee_closure(employee_id) -> employee(employee_id)',
    'employee_closure(supervisor_id) -> employee(employee_id)',
    'expense_fact(store_id) -> store(store_id)',
    'expense_fact(account_id) -> account(account_id)',
    'expense_fact(category_id) -> category(category_id)',
    'expense_fact(time_id) -> time_by_day(time_id)',
    'expense_fact(exp_date) -> time_by_day(the_date)',
    'expense_fact(currency_id,exp_date) -> currency(currency_id,date)',
    'product(product_class_id) -> product_class(product_class_id)',
    'reserve_employee(store_id) -> store(store_id)',
    'salary(pay_date) -> time_by_day(the_date)',
    'salary(employee_id) -> employee(employee_id)',
    'salary(department_id) -> department(department_id)',
    'salary(currency_id,pay_date) -> currency(currency_id,date)',
    'store(region_id) -> region(region_id)',
    'store_ragged(region_id) -> region(region_id)',
    'warehouse(stores_id) -> store(store_id)',
    'warehouse(warehouse_class_id) -> warehouse_class(warehouse_class_id)',
  ],
  measures: [
    ...['sales_fact_1997', 'sales_fact_dec_1998'].flatMap((fact) =>
      ['store_sales', 'store_cost', 'unit_sales'].map((column) => `${fact}.${column}`),
    ),
    ...['inventory_fact_1997', 'inventory_fact_1998'].flatMap((fact) =>
      ['units_ordered', 'units_shipped', 'warehouse_sales', 'warehouse_cost', 'supply_time', 'store_invoice'].map(
        (column) => `${fact}.${column}`,
      ),
    ),
    'expense_fact.amount',
    'currency.conversion_ratio',
    ...['salary_paid', 'overtime_paid', 'vacation_accrued', 'vacation_used'].map((column) => `salary.${column}`),
    'employee.salary',
    'reserve_employee.salary',
    'position.min_scale',
    'position.max_scale',
    'promotion.cost',
    'product.SRP',
    ...[
      'gross_weight',
      'net_weight',
      'units_per_case',
      'cases_per_pallet',
      'shelf_width',
      'shelf_height',
      'shelf_depth',
    ].map((column) => `product.${column}`),
    ...['store', 'store_ragged'].flatMap((table) =>
      ['store_sqft', 'grocery_sqft', 'frozen_sqft', 'meat_sqft'].map((column) => `${table}.${column}`),
    ),
    ...['total_children', 'num_children_at_home', 'num_cars_owned'].map((column) => `customer.${column}`),
    'employee_closure.distance',
  ],
  personalData: [
    ...[
      'lname',
      'fname',
      'mi',
      'address1',
      'address2',
      'address3',
      'address4',
      'phone1',
      'phone2',
      'birthdate',
      'fullname',
      'account_num',
    ].map((column) => `customer.${column}`),
    ...['employee', 'reserve_employee'].flatMap((table) =>
      ['full_name', 'first_name', 'last_name', 'birth_date'].map((column) => `${table}.${column}`),
    ),
    ...['store', 'store_ragged'].flatMap((table) =>
      ['store_manager', 'store_phone', 'store_fax', 'store_street_address'].map((column) => `${table}.${column}`),
    ),
    ...[
      'warehouse_owner_name',
      'warehouse_phone',
      'warehouse_fax',
      'wa_address1',
      'wa_address2',
      'wa_address3',
      'wa_address4',
    ].map((column) => `warehouse.${column}`),
  ],
  dateColumns: [
    'time_by_day.the_date',
    ...['employee', 'reserve_employee'].flatMap((table) => [`${table}.hire_date`, `${table}.end_date`]),
    'promotion.start_date',
    'promotion.end_date',
    ...['store', 'store_ragged'].flatMap((table) => [`${table}.first_opened_date`, `${table}.last_remodel_date`]),
    'customer.date_accnt_opened',
  ],
  keys: [
    ...['account', 'category', 'customer', 'department', 'employee', 'position', 'product', 'product_class'].map(
      (table) => `${table}(${table}_id)`,
    ),
    ...['promotion', 'region', 'store', 'warehouse', 'warehouse_class', 'time_by_day'].map(
      (table) => `${table}(${table === 'time_by_day' ? 'time' : table}_id)`,
    ),
    'store_ragged(store_id)',
    'currency(currency_id,date)',
    'employee_closure(employee_id,supervisor_id)',
    'reserve_employee(employee_id)',
    'days(day)',
  ],
  units: ['store', 'store_ragged'].flatMap((table) =>
    ['store_sqft', 'grocery_sqft', 'frozen_sqft', 'meat_sqft'].map((column) => `${table}.${column} sq ft`),
  ),
  hierarchies: [
    'customer: country > state_province > city > postal_code',
    'product_class: product_family > product_department > product_category > product_subcategory',
    'region: sales_country > sales_region > sales_state_province > sales_district > sales_city',
    // Stores and warehouses have one postal code, 55555, in all their cities: no level.
    ...['store', 'store_ragged'].map((table) => `${table}: store_country > store_state > store_city`),
    'warehouse: warehouse_country > warehouse_state_province > warehouse_city',
  ],
};
