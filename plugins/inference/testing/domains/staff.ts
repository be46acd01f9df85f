/** A personnel department: managers, departments above departments, absences, reviews, courses. */
import { amount, type DomainSchema, dayWithin, FIRST_NAMES, LAST_NAMES, oneOf, pick } from './domain-schema.ts';

export const STAFF: DomainSchema = {
  name: 'personnel',
  setUp: [
    `CREATE TABLE locations AS SELECT ([ 'BER','MUC','HAM','LON','PAR','NYC' ])[1 + range] AS location_code, ([ 'Berlin','Munich','Hamburg','London','Paris','New York' ])[1 + range] AS city, ([ 'Germany','Germany','Germany','United Kingdom','France','United States' ])[1 + range] AS country FROM range(6)`,
    `CREATE TABLE departments AS SELECT 'd' || lpad(CAST(range + 1 AS VARCHAR), 3, '0') AS dept_no, 'Department ' || range AS dept_name, CASE WHEN range < 3 THEN NULL ELSE 'd' || lpad(CAST(range % 3 + 1 AS VARCHAR), 3, '0') END AS parent_dept_no, 10001 + ${pick(400, 1)} AS head_emp_no, CAST(100000 + ${pick(90000, 2)} * 10 AS DECIMAL(12,2)) AS annual_budget FROM range(18)`,
    `CREATE TABLE jobs AS SELECT 'J' || (10 + range * 5) AS job_code, 'Job ' || range AS title, 1 + range % 9 AS pay_grade FROM range(20)`,
    `CREATE TABLE employees AS SELECT 10001 + range AS emp_no, ${oneOf(FIRST_NAMES, 3)} AS first_name, ${oneOf(LAST_NAMES, 4)} AS last_name, CASE WHEN range = 0 THEN NULL ELSE 10001 + range // 8 END AS manager_id, 'd' || lpad(CAST(${pick(18, 5)} + 1 AS VARCHAR), 3, '0') AS dept_no, 'J' || (10 + ${pick(20, 6)} * 5) AS job_code, ([ 'BER','MUC','HAM','LON','PAR','NYC' ])[1 + ${pick(6, 7)}] AS location_code, ${dayWithin(5000, 8, '2008-01-01')} AS hire_date, CAST(0.5 + ${pick(3, 9)} * 0.25 AS DECIMAL(3,2)) AS fte_rate, ${amount(28000, 120000, 10)} AS annual_salary, ${oneOf(['EUR', 'EUR'], 11)} AS salary_currency, ${pick(30, 12)} AS vacation_days_left FROM range(400)`,
    `CREATE TABLE absence_types AS SELECT ([ 'SICK','VAC','PAR','EDU','OTH' ])[1 + range] AS absence_code, ([ 'Sickness','Vacation','Parental leave','Education','Other' ])[1 + range] AS label FROM range(5)`,
    `CREATE TABLE absences AS SELECT range + 1 AS absence_id, 10001 + ${pick(400, 21)} AS emp_no, ([ 'SICK','VAC','PAR','EDU','OTH' ])[1 + ${pick(5, 22)}] AS absence_code, ${dayWithin(1000, 23)} AS from_date, ${dayWithin(1000, 23)} + ${pick(14, 24)} AS to_date, 1 + ${pick(14, 24)} AS days FROM range(5000)`,
    `CREATE TABLE reviews AS SELECT range + 1 AS review_id, 10001 + ${pick(400, 31)} AS employee_id, 10001 + ${pick(50, 32)} AS reviewer_id, 2019 + ${pick(5, 33)} AS review_year, 1 + ${pick(5, 34)} AS rating, ${oneOf(['yes', 'no'], 35)} AS promoted FROM range(1800)`,
    `CREATE TABLE courses AS SELECT 'C-' || (100 + range) AS course_code, 'Course ' || range AS title, 2 + ${pick(38, 36)} AS hours, ${amount(100, 2500, 37)} AS price_eur FROM range(40)`,
    `CREATE TABLE enrolments AS SELECT 10001 + ${pick(400, 41)} AS emp_no, 'C-' || (100 + ${pick(40, 42)}) AS course_code, ${dayWithin(900, 43)} AS attended_on, ${pick(100, 44)} AS score_percent, ${pick(3, 45)} AS hall FROM range(3000)`,
  ],
  foreignKeys: [
    'departments(parent_dept_no) -> departments(dept_no)',
    'departments(head_emp_no) -> employees(emp_no)',
    'employees(manager_id) -> employees(emp_no)',
    'employees(dept_no) -> departments(dept_no)',
    'employees(job_code) -> jobs(job_code)',
    'employees(location_code) -> locations(location_code)',
    'absences(emp_no) -> employees(emp_no)',
    'absences(absence_code) -> absence_types(absence_code)',
    'reviews(employee_id) -> employees(emp_no)',
    'reviews(reviewer_id) -> employees(emp_no)',
    'enrolments(emp_no) -> employees(emp_no)',
    'enrolments(course_code) -> courses(course_code)',
  ],
  summed: [
    'departments.annual_budget',
    'employees.annual_salary',
    'employees.vacation_days_left',
    'absences.days',
    'courses.hours',
  ],
  averaged: ['employees.fte_rate', 'reviews.rating', 'courses.price_eur', 'enrolments.score_percent'],
  personalData: ['employees.first_name', 'employees.last_name'],
  hierarchies: ['locations: country > city'],
};
