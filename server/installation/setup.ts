import type { Log } from '../../router/capabilities/log.ts';
import { readConfig } from '../config/read-config.ts';
import { configuredSecrets } from '../config/secrets.ts';
import type { Config, SettingName } from '../config/settings.ts';
import { type Home, locateHome, makeHome } from '../home-directory/home-directory.ts';
import { logDestination, logLevel } from '../log/destination.ts';
import { openLog } from '../log/log.ts';

export interface Setup {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
  /** The environment variables of this process, which contain secrets that no file has, such as the API keys of language models. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Overrides = Readonly<Partial<Record<SettingName, string>>>;

/**
 * Reads the settings of a home folder that may not exist yet. Creates nothing.
 *
 * @param warn receives unknown names and replaced values; the log without it
 */
export function readSetup(homeDirectory: string, overrides: Overrides = {}, warn?: (text: string) => void): Setup {
  const home = locateHome(homeDirectory);
  const { env: environment } = process;
  const { config, warnings } = readConfig({ properties: home.properties, environment, overrides });
  const format = config['service.log.format'];
  const log = openLog(logLevel(config['service.log.level'], format), logDestination(format));
  log.hide(configuredSecrets(config, environment));
  for (const warning of warnings) (warn ?? ((text) => log.warn({}, text)))(warning);
  return { home, config, log, environment };
}

/** Reads the settings, and creates missing folders of the home folder. */
export function setUp(homeDirectory: string, overrides: Overrides = {}): Setup {
  const setup = readSetup(homeDirectory, overrides);
  makeHome(setup.home);
  return setup;
}
