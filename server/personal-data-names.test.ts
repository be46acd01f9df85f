/** Tests that cube suggestions, inference and the lint of semantic documents judge a list of names alike. */
import { describe, expect, it } from 'vitest';
import type { LevelMetadata } from '../plugins/cube/cube-metadata/cube-metadata.ts';
import { annotationsOf } from '../plugins/cube/cube-metadata/semantic-annotations.ts';
import { piiSuggestions } from '../plugins/cube/describe/pii-suggestions.ts';
import { viewTables } from '../plugins/inference/detect/column-views.ts';
import { personalReason, sensitiveContent } from '../plugins/inference/detect/personal-verdicts.ts';
import type { Column } from '../plugins/inference/schemas.ts';
import { lintDocument } from '../plugins/semantic/index.ts';

const IDENTIFYING: readonly (readonly [container: string, name: string, content: string])[] = [
  ['shops', 'Email', 'an e-mail address'],
  ['shops', 'e_mail', 'an e-mail address'],
  ['orders', 'Rechnungsemail', 'an e-mail address'],
  ['shops', 'phone1_fax', 'a telephone number'],
  ['shops', 'mobile', 'a telephone number'],
  ['auftraege', 'kundentelefon', 'a telephone number'],
  ['shops', 'Handynummer', 'a telephone number'],
  ['people', 'ssn', 'an official number of a person'],
  ['people', 'national_id', 'an official number of a person'],
  ['people', 'DriverLicence', 'an official number of a person'],
  ['personen', 'Steuernummer', 'an official number of a person'],
  ['payments', 'iban', 'a payment detail'],
  ['payments', 'bankAccount', 'a payment detail'],
  ['zahlungen', 'kontonummer', 'a payment detail'],
  ['people', 'BirthDate', 'a date of birth'],
  ['people', 'dob', 'a date of birth'],
  ['personal', 'geburtsdatum', 'a date of birth'],
  ['people', 'surname', 'the name of a person'],
  ['people', 'given_names', 'the name of a person'],
  ['mitarbeiter', 'Vorname', 'the name of a person'],
  ['kunden', 'name', 'the name of a person'],
  ['kundenstamm', 'Name', 'the name of a person'],
  ['kunde', 'Name', 'the name of a person'],
  ['mitarbeiter', 'name', 'the name of a person'],
  ['mitarbeiterliste', 'name', 'the name of a person'],
  ['patienten', 'Nachname', 'the name of a person'],
  ['stays', 'patient_name', 'the name of a person'],
  ['orders', 'customername', 'the name of a person'],
  ['customers', 'name', 'the name of a person'],
  ['auftraege', 'Kundenname', 'the name of a person'],
  ['auftraege', 'kunden_name', 'the name of a person'],
  ['orders', 'customersName', 'the name of a person'],
  ['besuche', 'patientenname', 'the name of a person'],
  ['orders', 'ship_addresses', 'an address'],
  ['rechnungen', 'Rechnungsadresse', 'an address'],
  ['t', 'Straße', 'an address'],
  ['visits', 'ip_address', 'an address'],
  ['visits', 'device_id', "the address of a person's device"],
];

const SENSITIVE: readonly (readonly [container: string, name: string, content: string])[] = [
  ['people', 'age', 'an age'],
  ['people', 'gender', 'a sensitive trait of persons'],
  ['personen', 'Geschlecht', 'a sensitive trait of persons'],
  ['people', 'maritalStatus', 'a sensitive trait of persons'],
  ['payroll', 'salary', 'what a person earns'],
  ['abrechnung', 'gehalt', 'what a person earns'],
  ['shops', 'PostalCode', 'a part of an address'],
  ['shops', 'plz', 'a part of an address'],
  ['trips', 'latitude', 'a place of a person'],
  ['visits', 'cookie', 'what follows a device'],
  ['orders', 'Customers', 'single persons'],
  ['auftraege', 'kunde', 'single persons'],
];

const HARMLESS: readonly (readonly [container: string, name: string])[] = [
  ['products', 'name'],
  ['produkte', 'produktname'],
  ['products', 'product_name'],
  ['categories', 'category_name'],
  ['laender', 'laendername'],
  ['files', 'filename'],
  ['kunden', 'branche'],
  ['kunden', 'kundengruppe'],
  ['orders', 'customer_segment'],
  ['orders', 'customer_id'],
  ['orders', 'status'],
  ['sales', 'amount'],
  ['stores', 'city'],
];

function inferred(table: string, name: string): string | undefined {
  const column: Column = { name, type: 'VARCHAR', nullable: true, distinctApprox: 90, sampleValues: ['a', 'b'] };
  const [view] = viewTables({ tables: [{ schema: '', name: table, rowCount: 100, columns: [column] }] });
  const [first] = view?.columns ?? [];
  return first && (personalReason(first) ?? sensitiveContent(first));
}

function suggested(dimension: string, name: string): string | undefined {
  const described = { name, caption: name, synonyms: [], aliases: [] };
  const annotations = annotationsOf({ annotations: new Map(), description: undefined });
  const level: LevelMetadata = {
    ...described,
    annotations,
    uniqueName: `[${name}]`,
    depth: 1,
    isAll: false,
    levelType: 'Regular',
    approxRowCount: undefined,
    isParentChild: false,
    isRagged: false,
    offered: true,
  };
  const place = { annotations, offered: true, uniqueName: `[${dimension}]`, ...described, name: dimension };
  const hierarchy = { ...place, hasAll: true, isWholeByDefault: true, levels: [level] };
  const [suggestion] = piiSuggestions({
    name: 'Cube',
    caption: 'Cube',
    annotations,
    measures: [],
    dimensions: [{ ...place, type: 'standard', hierarchies: [hierarchy], groups: [] }],
    defaultMeasure: '',
    certified: [],
  });
  return suggestion?.reason;
}

async function linted(dataset: string, name: string): Promise<string | undefined> {
  const { problems } = await lintDocument(`semantic_model:
  - name: m
    datasets:
      - name: ${dataset}
        source: t
        fields: [{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: c }] }]`);
  expect(problems.length).toBeLessThanOrEqual(1);
  return problems[0]?.message;
}

describe('the verdict on a name', () => {
  it.each(IDENTIFYING)('%s.%s is %s, which inference hides', async (container, name, content) => {
    expect(inferred(container, name)).toMatch(`By its name it holds ${content} (`);
    expect(suggested(container, name)).toMatch(`it may hold ${content}.`);
    expect(await linted(container, name)).toMatch(`it may hold ${content}.`);
  });

  it.each(SENSITIVE)('%s.%s is %s, which inference shows with a note', async (container, name, content) => {
    expect(inferred(container, name)).toBe(content);
    expect(suggested(container, name)).toMatch(`it may hold ${content}.`);
    expect(await linted(container, name)).toMatch(`it may hold ${content}.`);
  });

  it.each(HARMLESS)('%s.%s is not personal data', async (container, name) => {
    expect(inferred(container, name)).toBeUndefined();
    expect(suggested(container, name)).toBeUndefined();
    expect(await linted(container, name)).toBeUndefined();
  });
});
