/** Options that several commands have. */
import { Option } from 'commander';
import { DEFAULT_TENANT } from '../identity/index.ts';

/** Makes the option `--home DIR` of commands that work on an installation. */
export const homeOption = () =>
  new Option('--home <dir>', 'the home folder').env('SERVICE_HOME').default('./service-home');

/** Makes the option `--create` of commands that may begin an installation. */
export const createOption = () => new Option('--create', 'make the home folder where there is none');

/** Makes the option `--tenant NAME` of commands that read datasources. */
export const tenantOption = () =>
  new Option('--tenant <name>', 'the tenant that the datasources belong to').default(DEFAULT_TENANT);
