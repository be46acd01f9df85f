/** Examines the datasources of the tenants: their descriptors, their documents and their warehouses. */
import { existsSync } from 'node:fs';
import { DEFAULT_TENANT } from '../../identity/index.ts';
import { warehousesOf } from '../../installation/existing-home.ts';
import type { Setup } from '../../installation/setup.ts';
import { placesOf } from '../../tenants/tenant-folders.ts';
import { openWarehouses } from '../../warehouse/index.ts';
import { tested } from '../connection.ts';
import { type Finding, failed, messageOf, ok, warning } from './finding.ts';

export async function examineDatasources(setup: Setup, tenants: readonly string[]): Promise<readonly Finding[]> {
  const { check, connections, readInputFile } = await import('../../launcher-offline.ts');
  const warehouses = openWarehouses(warehousesOf(setup));
  const examineTenant = async (tenant: string): Promise<readonly Finding[]> => {
    const isFirst = tenant === DEFAULT_TENANT;
    const { datasources } = placesOf(setup.home, isFirst ? undefined : tenant);
    if (!existsSync(datasources)) return [];
    const all = await connections(datasources, warehouses.supported);
    const findings = await Promise.all(
      all.map(async (one): Promise<readonly Finding[]> => {
        const subject = `datasource ${isFirst ? '' : `${tenant}/`}${one.name}`;
        const { datasource, problems } = one;
        if (datasource === undefined)
          return [
            failed(subject, problems[0]?.message ?? 'It cannot be read.', `Correct its descriptor in ${datasources}.`),
          ];
        if (!datasource.enabled)
          return [warning(subject, 'It is switched off.', 'Write `enabled: true` in its descriptor.')];
        const answered = await tested(one, warehouses);
        if (!answered.answers)
          return [
            failed(
              subject,
              answered.detail,
              `Check the address, the user and the password: \`service connection test ${one.name}\`.`,
            ),
          ];
        try {
          const checked = await check(await readInputFile(datasource.documentPath), {});
          const wrong = checked.problems.filter(({ severity }) => severity === 'error');
          if (wrong.length > 0)
            return [failed(subject, wrong[0]?.message ?? '', `Run \`service validate ${datasource.documentPath}\`.`)];
        } catch (error) {
          return [failed(subject, messageOf(error), `Put the document at ${datasource.documentPath}.`)];
        }
        return [ok(subject, answered.detail)];
      }),
    );
    return findings.flat();
  };
  try {
    const findings = (await Promise.all(tenants.map(examineTenant))).flat();
    return findings.length === 0
      ? [warning('datasources', 'There are none.', 'Add data at /ui/add-data/, or with `service import FILE`.')]
      : findings;
  } finally {
    await warehouses.close();
  }
}
