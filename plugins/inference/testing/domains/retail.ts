/** A German chain of shops: articles by SKU and EAN, receipts with lines, stock, margins. */
import { amount, type DomainSchema, dayWithin, FIRST_NAMES, LAST_NAMES, oneOf, pick } from './domain-schema.ts';

const LANDS = ['Bayern', 'Hessen', 'Sachsen', 'Berlin', 'Hamburg'] as const;

export const RETAIL: DomainSchema = {
  name: 'retail, German',
  setUp: [
    `CREATE TABLE mitarbeiter AS SELECT 1000 + range AS personalnr, ${oneOf(FIRST_NAMES, 1)} AS vorname, ${oneOf(LAST_NAMES, 2)} AS nachname, CASE WHEN range = 0 THEN NULL ELSE 1000 + range % 9 END AS vorgesetzter, ${amount(2100, 5200, 3)} AS gehalt FROM range(140)`,
    `CREATE TABLE filialen AS SELECT range + 1 AS filial_nr, 'Filiale ' || (range + 1) AS bezeichnung, ([${LANDS.map((each) => `'${each}'`).join(', ')}])[1 + range // 6 % 5] AS bundesland, 'Ort ' || (range // 2) AS ort, lpad(CAST(1067 + (range // 2) * 811 AS VARCHAR), 5, '0') AS plz, 200 + ${pick(900, 5)} AS verkaufsflaeche_qm, 1000 + ${pick(40, 6)} AS leiter_nr FROM range(30)`,
    `CREATE TABLE warengruppen AS SELECT 10 + range AS wgr_nr, 'Gruppe ' || range AS wgr_bezeichnung, CASE WHEN range < 5 THEN NULL ELSE 10 + range % 5 END AS uebergeordnete_wgr_nr FROM range(35)`,
    `CREATE TABLE lieferanten AS SELECT 70000 + range * 11 AS lieferanten_nr, 'Lieferant ' || range || ' GmbH' AS firma, ${oneOf(['DE', 'AT', 'NL', 'PL'], 8)} AS land FROM range(45)`,
    `CREATE TABLE artikel AS SELECT 'SKU-' || (10000 + range * 3) AS sku, CAST(4012345000000 + range * 97 AS VARCHAR) AS ean, 'Artikel ' || range AS artikelbezeichnung, 10 + ${pick(35, 10)} AS wgr_nr, 70000 + ${pick(45, 11)} * 11 AS lieferanten_nr, ${amount(1, 120, 12)} AS listenpreis, CAST(8 + ${pick(400, 13)} / 10.0 AS DECIMAL(5,1)) AS marge_prozent, ${oneOf([7, 19], 14)} AS mwst_satz FROM range(900)`,
    `CREATE TABLE kunden AS SELECT 200000 + range AS kundennr, ${oneOf(LAST_NAMES, 16)} || ' ' || ${oneOf(FIRST_NAMES, 17)} AS name, lpad(CAST(1067 + ${pick(300, 18)} * 97 AS VARCHAR), 5, '0') AS plz, 'k' || range || '@beispiel.de' AS email, ${oneOf(['Gold', 'Silber', 'Basis'], 19)} AS kartenart FROM range(2500)`,
    `CREATE TABLE bons AS SELECT 5000000 + range AS bon_nr, 1 + ${pick(30, 21)} AS filial_nr, 1 + ${pick(6, 22)} AS kasse, CASE WHEN range % 3 = 0 THEN NULL ELSE 200000 + ${pick(2500, 23)} END AS kundennr, 1000 + ${pick(140, 24)} AS kassierer_nr, strftime(${dayWithin(730, 25)}, '%Y%m%d')::INTEGER AS belegdatum, ${oneOf(['bar', 'EC', 'Kredit'], 26)} AS zahlart, ${amount(2, 300, 27)} AS summe_brutto FROM range(18000)`,
    `CREATE TABLE bonpositionen AS SELECT 5000000 + range // 3 AS bon_nr, range % 3 + 1 AS pos_nr, CAST(4012345000000 + ${pick(900, 31)} * 97 AS VARCHAR) AS ean, 1 + ${pick(8, 32)} AS menge, ${amount(1, 120, 33)} AS einzelpreis, CAST(${pick(30, 34)} AS DECIMAL(5,2)) AS rabatt_prozent, ${amount(1, 400, 35)} AS zeilenbetrag FROM range(54000)`,
    `CREATE TABLE lagerbestand AS SELECT 'SKU-' || (10000 + (range % 900) * 3) AS sku, 1 + range // 900 AS filial_nr, ${pick(80, 41)} AS bestand, DATE '2024-06-30' AS stichtag, CAST(${pick(100, 42)} / 100.0 AS DECIMAL(4,2)) AS fuellgrad FROM range(9000)`,
  ],
  foreignKeys: [
    'mitarbeiter(vorgesetzter) -> mitarbeiter(personalnr)',
    'filialen(leiter_nr) -> mitarbeiter(personalnr)',
    'warengruppen(uebergeordnete_wgr_nr) -> warengruppen(wgr_nr)',
    'artikel(wgr_nr) -> warengruppen(wgr_nr)',
    'artikel(lieferanten_nr) -> lieferanten(lieferanten_nr)',
    'bons(filial_nr) -> filialen(filial_nr)',
    'bons(kundennr) -> kunden(kundennr)',
    'bons(kassierer_nr) -> mitarbeiter(personalnr)',
    'bonpositionen(bon_nr) -> bons(bon_nr)',
    'bonpositionen(ean) -> artikel(ean)',
    'lagerbestand(sku) -> artikel(sku)',
    'lagerbestand(filial_nr) -> filialen(filial_nr)',
  ],
  summed: [
    'mitarbeiter.gehalt',
    'filialen.verkaufsflaeche_qm',
    'bons.summe_brutto',
    'bonpositionen.menge',
    'bonpositionen.zeilenbetrag',
  ],
  averaged: [
    'artikel.listenpreis',
    'artikel.marge_prozent',
    'artikel.mwst_satz',
    'bonpositionen.einzelpreis',
    'bonpositionen.rabatt_prozent',
    'lagerbestand.bestand',
    'lagerbestand.fuellgrad',
  ],
  personalData: ['mitarbeiter.vorname', 'mitarbeiter.nachname', 'kunden.name', 'kunden.email'],
  hierarchies: ['filialen: bundesland > ort > plz'],
};
