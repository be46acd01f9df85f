/** Schemas of five domains, written down before the rules were tried on them. */
import { AIRLINE } from './domains/airline.ts';
import { HOSPITAL } from './domains/hospital.ts';
import { RETAIL } from './domains/retail.ts';
import { SCHOOL } from './domains/school.ts';
import { STAFF } from './domains/staff.ts';

export const DOMAIN_SCHEMAS = [HOSPITAL, AIRLINE, RETAIL, STAFF, SCHOOL] as const;
