/** An airline: airports and countries by their codes, aircraft by their tail numbers, gates, load factors. */
import { amount, type DomainSchema, dayWithin, FIRST_NAMES, LAST_NAMES, oneOf, pick } from './domain-schema.ts';

const letter = (of: string): string => `chr(65 + CAST(${of} AS INTEGER) % 26)`;
const iso2 = (of: string): string => `${letter(`(${of}) * 7`)} || ${letter(`(${of}) // 3 + 4`)}`;
const iata = (of: string): string =>
  `${letter(`(${of}) * 11`)} || ${letter(`(${of}) // 2 + 3`)} || ${letter(`(${of}) * 5 + 1`)}`;

export const AIRLINE: DomainSchema = {
  name: 'airline',
  setUp: [
    `CREATE TABLE countries AS SELECT ${iso2('range')} AS iso2, ${iso2('range')} || 'X' AS iso3, 'Country ' || range AS name, ${oneOf(['Europe', 'Asia', 'Africa', 'Americas'], 1)} AS continent FROM range(40)`,
    `CREATE TABLE airports AS SELECT ${iata('range')} AS iata, 'E' || ${iata('range')} AS icao, 'Airport ' || range AS name, 'City ' || (range * 9 // 10) AS city, ${iso2('range * 9 // 10 % 40')} AS country_iso2, CAST(-50 + ${pick(1000, 2)} / 10.0 AS DOUBLE) AS latitude, CAST(-170 + ${pick(3400, 3)} / 10.0 AS DOUBLE) AS longitude, ${pick(2500, 4)} AS elevation_m FROM range(52)`,
    `CREATE TABLE airlines AS SELECT ${letter('range * 3')} || (range % 10) AS carrier_code, 'Airline ' || range AS airline_name, ${iso2('range')} AS country_iso2 FROM range(12)`,
    `CREATE TABLE aircraft_types AS SELECT (['A319','A320','A321','A333','B737','B738','B789','E190','AT76'])[1 + range] AS type_code, (['Airbus','Airbus','Airbus','Airbus','Boeing','Boeing','Boeing','Embraer','ATR'])[1 + range] AS manufacturer, 100 + range * 25 AS max_seats FROM range(9)`,
    `CREATE TABLE aircraft AS SELECT 'D-A' || ${letter('range')} || ${letter('range // 4 + 2')} || ${letter('range * 3')} AS tail_number, (['A319','A320','A321','A333','B737','B738','B789','E190','AT76'])[1 + ${pick(9, 5)}] AS type_code, ${letter(`${pick(12, 6)} * 3`)} || (${pick(12, 6)} % 10) AS carrier_code, 1998 + ${pick(25, 7)} AS built FROM range(90)`,
    `CREATE TABLE flights AS SELECT 40000 + range AS flight_id, 'LX' || (100 + ${pick(600, 10)}) AS flight_no, 'D-A' || ${letter(pick(90, 11))} || ${letter(`${pick(90, 11)} // 4 + 2`)} || ${letter(`${pick(90, 11)} * 3`)} AS tail_number, ${iata(pick(52, 12))} AS origin, ${iata(pick(52, 13))} AS destination, ${letter(pick(4, 14))} || (1 + ${pick(30, 15)}) AS gate, 1 + ${pick(3, 16)} AS terminal, ${pick(30, 17)} + 1 AS gate_number, CAST(${dayWithin(700, 18)} AS TIMESTAMP) + INTERVAL 1 MINUTE * ${pick(1440, 19)} AS scheduled_departure, ${pick(90, 20)} AS delay_minutes, 200 + ${pick(9000, 21)} AS distance_km, CAST(0.4 + ${pick(60, 22)} / 100.0 AS DECIMAL(4,2)) AS load_factor, ${pick(12, 23)} + 60 AS fuel_tonnes FROM range(15000)`,
    `CREATE TABLE tickets AS SELECT 2200000000 + range * 7 AS ticket_no, 40000 + ${pick(15000, 31)} AS flight_id, ${oneOf(LAST_NAMES, 32)} || '/' || upper(${oneOf(FIRST_NAMES, 33)}) AS passenger, ${oneOf(['Y', 'C', 'F'], 34)} AS fare_class, ${amount(40, 900, 35)} AS fare, ${oneOf(['EUR', 'EUR', 'EUR'], 36)} AS currency, ${pick(32, 37)} AS baggage_kg, 1 + ${pick(38, 38)} AS seat_row FROM range(40000)`,
    `CREATE TABLE crew_members AS SELECT 300 + range AS crew_id, ${oneOf(LAST_NAMES, 41)} || ', ' || ${oneOf(FIRST_NAMES, 42)} AS name, ${iata(pick(10, 43))} AS home_base, CASE WHEN range < 20 THEN NULL ELSE 300 + range % 20 END AS mentor_id, ${oneOf(['captain', 'first officer', 'cabin'], 44)} AS position FROM range(260)`,
    `CREATE TABLE crew_assignments AS SELECT 40000 + range // 4 AS flight_id, 300 + (range * 53) % 260 AS crew_id, ${oneOf(['captain', 'first officer', 'cabin'], 46)} AS duty, 1 + ${pick(11, 47)} AS duty_hours FROM range(60000)`,
  ],
  foreignKeys: [
    'airports(country_iso2) -> countries(iso2)',
    'airlines(country_iso2) -> countries(iso2)',
    'aircraft(type_code) -> aircraft_types(type_code)',
    'aircraft(carrier_code) -> airlines(carrier_code)',
    'flights(tail_number) -> aircraft(tail_number)',
    'flights(origin) -> airports(iata)',
    'flights(destination) -> airports(iata)',
    'tickets(flight_id) -> flights(flight_id)',
    'crew_members(home_base) -> airports(iata)',
    'crew_members(mentor_id) -> crew_members(crew_id)',
    'crew_assignments(flight_id) -> flights(flight_id)',
    'crew_assignments(crew_id) -> crew_members(crew_id)',
  ],
  summed: [
    'aircraft_types.max_seats',
    'flights.delay_minutes',
    'flights.distance_km',
    'flights.fuel_tonnes',
    'tickets.fare',
    'tickets.baggage_kg',
    'crew_assignments.duty_hours',
  ],
  averaged: ['flights.load_factor', 'airports.elevation_m'],
  personalData: ['tickets.passenger', 'crew_members.name'],
  hierarchies: ['airports: country_iso2 > city'],
};
