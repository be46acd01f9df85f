/** Environment variables besides the settings, with their contents. */
export const OTHER_VARIABLES = {
  SERVICE_HOME: 'the home folder, else `./service-home`',
  SERVICE_ADMIN_PASSWORD: 'the password of `admin`; set at each start',
  SERVICE_IMPORT_PASSWORD: 'the password of a database that `service import` attaches',
  SERVICE_JDBC_PASSWORD: 'the password of the warehouse of `validate` and `mdx`, where `--jdbc` names one',
  SERVICE_DEBUG: 'anything: a command that fails prints where in the program it failed',
} as const;

/** Variables that only the tests and the demo's tools read. */
const OF_TESTS = /^SERVICE_(TEST_\w+|CHROMIUM|NODE_\d+|PASSWORD)$/;

/** Returns true for a variable with the product's prefix that is read, although it is no setting. */
export function isOtherVariable(name: string): boolean {
  return Object.hasOwn(OTHER_VARIABLES, name) || OF_TESTS.test(name);
}
