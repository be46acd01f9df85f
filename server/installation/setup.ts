import type { Log } from '../../router/capabilities/log.ts';
import { readConfig } from '../config/read-config.ts';
import { configuredSecrets } from '../config/secrets.ts';
import type { Config, SettingName } from '../config/settings.ts';
import { type Home, locateHome, makeHome } from '../home-directory/home-directory.ts';
import { logDestination } from '../log/destination.ts';
import { openLog } from '../log/log.ts';

export interface Setup {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
  /** The environment variables of this process, which contain secrets that no file has, such as the API keys of language models. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Overrides = Readonly<Partial<Record<SettingName, string>>>;

/** Reads the settings of a home folder that may not exist yet; warnings go to the log. Creates nothing. */
export function readSetup(homeDirectory: string, overrides: Overrides = {}): Setup {
  const home = locateHome(homeDirectory);
  const { env: environment } = process;
  const { config, warnings } = readConfig({ properties: home.properties, environment, overrides });
  const log = openLog(config['service.log.level'], logDestination(config['service.log.format']));
  log.hide(configuredSecrets(config, environment));
  for (const warning of warnings) log.warn({}, warning);
  return { home, config, log, environment };
}

/** Reads the settings, and creates missing folders of the home folder. */
export function setUp(homeDirectory: string, overrides: Overrides = {}): Setup {
  const setup = readSetup(homeDirectory, overrides);
  makeHome(setup.home);
  return setup;
}
