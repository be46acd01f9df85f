/** A hospital: stays with their length, physicians in several roles, codes of diagnoses and procedures. */
import { amount, type DomainSchema, dayWithin, FIRST_NAMES, LAST_NAMES, oneOf, pick } from './domain-schema.ts';

const CHAPTERS = ['A', 'C', 'E', 'I', 'J', 'K', 'M', 'S'] as const;

export const HOSPITAL: DomainSchema = {
  name: 'hospital',
  setUp: [
    `CREATE TABLE departments AS SELECT ([ 'CARD','NEUR','ORTH','PEDI','ONCO','SURG','RADI','EMER' ])[1 + range] AS dept_code, ([ 'Cardiology','Neurology','Orthopaedics','Paediatrics','Oncology','Surgery','Radiology','Emergency' ])[1 + range] AS name, range % 5 AS floor FROM range(8)`,
    `CREATE TABLE wards AS SELECT 100 + range AS ward_id, 'Ward ' || (range + 1) AS ward_name, ([ 'CARD','NEUR','ORTH','PEDI','ONCO','SURG' ])[1 + range % 6] AS dept_code, 12 + range % 20 AS beds, range % 6 AS floor_no FROM range(24)`,
    `CREATE TABLE physicians AS SELECT 5000 + range * 3 AS physician_id, ${oneOf(FIRST_NAMES, 1)} AS first_name, ${oneOf(LAST_NAMES, 2)} AS last_name, ([ 'CARD','NEUR','ORTH','PEDI','ONCO','SURG','RADI','EMER' ])[1 + range % 8] AS dept_code, CASE WHEN range < 8 THEN NULL ELSE 5000 + (range % 8) * 3 END AS supervisor_id, ${oneOf(['Consultant', 'Registrar', 'Resident'], 5)} AS grade FROM range(120)`,
    `CREATE TABLE insurers AS SELECT 'K' || lpad(CAST(range * 17 + 3 AS VARCHAR), 3, '0') AS insurer_code, 'Insurer ' || (range + 1) AS insurer_name, range % 4 = 0 AS is_private FROM range(14)`,
    `CREATE TABLE patients AS SELECT 700000 + range AS patient_id, 'MRN' || (4000000 + range * 13) AS mrn, ${oneOf(FIRST_NAMES, 11)} AS given_name, ${oneOf(LAST_NAMES, 12)} AS family_name, (DATE '1935-01-01' + ${pick(28000, 13)}) AS date_of_birth, ${oneOf(['F', 'M'], 14)} AS sex, 10000 + ${pick(80, 15)} * 113 AS postcode, '0' || (1510000000 + range * 977) AS phone, 'K' || lpad(CAST(${pick(14, 16)} * 17 + 3 AS VARCHAR), 3, '0') AS insurer_code FROM range(3000)`,
    `CREATE TABLE diagnosis_codes AS SELECT ([${CHAPTERS.map((each) => `'${each}'`).join(', ')}])[1 + range // 25] || lpad(CAST(range % 25 * 3 + 10 AS VARCHAR), 2, '0') || '.' || (range % 10) AS icd10, 'Diagnosis ' || range AS description, ([${CHAPTERS.map((each) => `'Chapter ${each}'`).join(', ')}])[1 + range // 25] AS chapter FROM range(200)`,
    `CREATE TABLE admissions AS SELECT 900000 + range AS admission_id, 700000 + ${pick(3000, 21)} AS patient_id, 100 + ${pick(24, 22)} AS ward_id, 5000 + ${pick(120, 23)} * 3 AS attending_physician_id, CASE WHEN range % 7 = 0 THEN NULL ELSE 5000 + ${pick(120, 24)} * 3 END AS referring_physician_id, ${dayWithin(1000, 25)} AS admitted_on, ${dayWithin(1000, 25)} + ${pick(21, 26)} AS discharged_on, ${pick(21, 26)} AS los_days, year(${dayWithin(1000, 25)}) AS year, ([${CHAPTERS.map((each) => `'${each}'`).join(', ')}])[1 + ${pick(200, 27)} // 25] || lpad(CAST(${pick(200, 27)} % 25 * 3 + 10 AS VARCHAR), 2, '0') || '.' || (${pick(200, 27)} % 10) AS main_icd10, 1 + ${pick(40, 28)} AS room_no, ${amount(300, 9000, 29)} AS total_charges, CAST(0.3 + ${pick(300, 30)} / 100.0 AS DECIMAL(6,3)) AS drg_weight, ${pick(9, 31)} AS pain_score FROM range(12000)`,
    `CREATE TABLE procedure_catalog AS SELECT '5-' || (100 + range * 7) AS procedure_code, 'Procedure ' || range AS title, ${amount(50, 4000, 33)} AS tariff_eur FROM range(60)`,
    `CREATE TABLE procedures AS SELECT range + 1 AS procedure_id, 900000 + ${pick(12000, 41)} AS admission_id, '5-' || (100 + ${pick(60, 42)} * 7) AS procedure_code, 5000 + ${pick(120, 43)} * 3 AS surgeon_id, ${pick(3, 44)} AS theatre_no, CAST(${dayWithin(1000, 45)} AS TIMESTAMP) + INTERVAL 1 MINUTE * ${pick(1440, 46)} AS started_at, 15 + ${pick(240, 47)} AS duration_minutes, ${pick(4, 48)} AS assistants FROM range(9000)`,
    `CREATE TABLE lab_tests AS SELECT (1000 + range * 37) || '-' || (range % 10) AS loinc_code, 'Test ' || range AS test_name, ${oneOf(['mmol/l', 'mg/dl', 'g/l'], 51)} AS unit FROM range(70)`,
    `CREATE TABLE lab_results AS SELECT range + 1 AS result_id, 900000 + ${pick(12000, 61)} AS admission_id, (1000 + ${pick(70, 62)} * 37) || '-' || (${pick(70, 62)} % 10) AS loinc_code, CAST(${pick(4000, 63)} / 10.0 AS DOUBLE) AS result_value, CAST(${dayWithin(1000, 64)} AS TIMESTAMP) AS taken_at, ${oneOf(['normal', 'high', 'low'], 65)} AS flag FROM range(20000)`,
  ],
  foreignKeys: [
    'wards(dept_code) -> departments(dept_code)',
    'physicians(dept_code) -> departments(dept_code)',
    'physicians(supervisor_id) -> physicians(physician_id)',
    'patients(insurer_code) -> insurers(insurer_code)',
    'admissions(patient_id) -> patients(patient_id)',
    'admissions(ward_id) -> wards(ward_id)',
    'admissions(attending_physician_id) -> physicians(physician_id)',
    'admissions(referring_physician_id) -> physicians(physician_id)',
    'admissions(main_icd10) -> diagnosis_codes(icd10)',
    'procedures(admission_id) -> admissions(admission_id)',
    'procedures(procedure_code) -> procedure_catalog(procedure_code)',
    'procedures(surgeon_id) -> physicians(physician_id)',
    'lab_results(admission_id) -> admissions(admission_id)',
    'lab_results(loinc_code) -> lab_tests(loinc_code)',
  ],
  summed: [
    'wards.beds',
    'admissions.los_days',
    'admissions.total_charges',
    'admissions.drg_weight',
    'procedures.duration_minutes',
    'procedures.assistants',
  ],
  // A tariff is a price, and a score is no amount; values of different tests are not added up. The sum of the weights is the case mix.
  averaged: ['admissions.pain_score', 'procedure_catalog.tariff_eur', 'lab_results.result_value'],
  personalData: [
    'physicians.first_name',
    'physicians.last_name',
    'patients.mrn',
    'patients.given_name',
    'patients.family_name',
    'patients.date_of_birth',
    'patients.phone',
  ],
  hierarchies: [],
};
