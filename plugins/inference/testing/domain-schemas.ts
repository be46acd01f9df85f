/** Schemas of seven domains, written down before the rules were tried on them. */
import { AIRLINE } from './domains/airline.ts';
import { HAULAGE } from './domains/haulage.ts';
import { HOSPITAL } from './domains/hospital.ts';
import { LIBRARY } from './domains/library.ts';
import { RETAIL } from './domains/retail.ts';
import { SCHOOL } from './domains/school.ts';
import { STAFF } from './domains/staff.ts';

export const DOMAIN_SCHEMAS = [HOSPITAL, AIRLINE, RETAIL, STAFF, SCHOOL, LIBRARY, HAULAGE] as const;
