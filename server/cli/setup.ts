import { Option } from 'commander';
import type { Log } from '../../router/capabilities/log.ts';
import { readConfig } from '../config/read.ts';
import type { Config, SettingName } from '../config/settings.ts';
import { type Home, openHome } from '../home/home.ts';
import { openLog } from '../log/log.ts';

/** `--home DIR`, of every command that works on an installation. */
export const homeOption = () =>
  new Option('--home <dir>', 'the home folder').env('SERVICE_HOME').default('./service-home');

export interface Setup {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
}

/** Opens the home folder and reads the settings; warnings go to the log. */
export function setUp(homeDirectory: string, overrides: Readonly<Partial<Record<SettingName, string>>> = {}): Setup {
  const home = openHome(homeDirectory);
  const { config, warnings } = readConfig({ properties: home.properties, environment: process.env, overrides });
  const log = openLog(config['service.log.level']);
  for (const warning of warnings) log.warn({}, warning);
  return { home, config, log };
}
