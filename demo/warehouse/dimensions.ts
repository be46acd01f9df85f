import type { DuckDBConnection } from '@duckdb/node-api';
import type { Day } from './calendar.ts';
import type { Customer } from './customers.ts';
import { boolean, createTable, date, double, integer, money, text } from './load.ts';
import type { Product } from './products.ts';
import type { Store } from './stores.ts';

/** Creates the calendar, the first of the four dimension tables. */

export async function createCalendar(connection: DuckDBConnection, days: readonly Day[]): Promise<void> {
  await createTable<Day>(
    connection,
    {
      name: 'calendar',
      columns: {
        date: date((day) => day.date, 'PRIMARY KEY'),
        year: integer((day) => day.year, 'NOT NULL'),
        quarter: text((day) => day.quarter, 'NOT NULL'),
        month: date((day) => day.month, 'NOT NULL'),
        month_number: integer((day) => day.monthNumber, 'NOT NULL'),
        month_name: text((day) => day.monthName, 'NOT NULL'),
        iso_week: integer((day) => day.isoWeek, 'NOT NULL'),
        weekday_number: integer((day) => day.weekdayNumber, 'NOT NULL'),
        weekday: text((day) => day.weekday, 'NOT NULL'),
        is_weekend: boolean((day) => day.isWeekend, 'NOT NULL'),
        is_holiday: boolean((day) => day.isHoliday, 'NOT NULL'),
        holiday_name: text((day) => day.holidayName),
      },
    },
    days,
  );
}

export async function createStores(connection: DuckDBConnection, stores: readonly Store[]): Promise<void> {
  await createTable<Store>(
    connection,
    {
      name: 'stores',
      columns: {
        store_id: integer((store) => store.storeId, 'PRIMARY KEY'),
        store_name: text((store) => store.name, 'NOT NULL UNIQUE'),
        region: text((store) => store.region, 'NOT NULL'),
        country: text((store) => store.country, 'NOT NULL'),
        city: text((store) => store.city, 'NOT NULL'),
        latitude: double((store) => store.latitude),
        longitude: double((store) => store.longitude),
        format: text((store) => store.format, 'NOT NULL'),
        opened_on: date((store) => store.openedOn, 'NOT NULL'),
        floor_area_m2: integer((store) => store.floorArea, 'NOT NULL'),
      },
    },
    stores,
  );
}

export async function createProducts(connection: DuckDBConnection, products: readonly Product[]): Promise<void> {
  await createTable<Product>(
    connection,
    {
      name: 'products',
      columns: {
        product_id: integer((product) => product.productId, 'PRIMARY KEY'),
        sku: text((product) => product.sku, 'NOT NULL UNIQUE'),
        product_name: text((product) => product.name, 'NOT NULL UNIQUE'),
        brand: text((product) => product.brand, 'NOT NULL'),
        category: text((product) => product.category.name, 'NOT NULL'),
        subcategory: text((product) => product.subcategory, 'NOT NULL'),
        list_price: money((product) => product.listCents, 'NOT NULL'),
        unit_cost: money((product) => product.costCents, 'NOT NULL'),
        launched_year: integer((product) => product.launchedYear, 'NOT NULL'),
      },
    },
    products,
  );
}

export async function createCustomers(connection: DuckDBConnection, customers: readonly Customer[]): Promise<void> {
  await createTable<Customer>(
    connection,
    {
      name: 'customers',
      columns: {
        customer_id: integer((customer) => customer.customerId, 'PRIMARY KEY'),
        full_name: text((customer) => customer.fullName, 'NOT NULL'),
        email: text((customer) => customer.email, 'NOT NULL UNIQUE'),
        birth_year: integer((customer) => customer.birthYear),
        segment: text((customer) => customer.segment, 'NOT NULL'),
        home_city: text((customer) => customer.city, 'NOT NULL'),
        home_country: text((customer) => customer.country, 'NOT NULL'),
      },
    },
    customers,
  );
}
