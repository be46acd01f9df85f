/** Examines the port: whether a server of this home answers there, or one could listen. */
import { runningServer } from '../../home-directory/running-address.ts';
import { openPort } from '../../http/port.ts';
import type { Setup } from '../../installation/setup.ts';
import { type Finding, failed, messageOf, ok } from './finding.ts';

export async function examinePort({ home, config }: Setup): Promise<Finding> {
  const url = await runningServer(home);
  if (url !== undefined) return ok('server', `running at ${url}`);
  const host = config['service.http.host'];
  const port = config['service.http.port'];
  try {
    const opened = await openPort(host, port);
    await opened.stop(0);
    return ok('server', `not running; port ${port} of ${host} is free`);
  } catch (error) {
    return failed('server', messageOf(error), 'Stop the other program, or set service.http.port to a free port.');
  }
}
