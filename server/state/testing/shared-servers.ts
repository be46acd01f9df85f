/** The environment variable with the address of the broker of `global-setup.ts`. */
export const BROKER_VARIABLE = 'SERVICE_TEST_BROKER';

/** Database servers that a whole test run shares; each test creates its own databases on them. */
export const SHARED_SERVERS = ['postgresql', 'mariadb', 'trino'] as const;
export type SharedServer = (typeof SHARED_SERVERS)[number];

/**
 * Returns the administrator's address of the server that the test run shares, and starts the server on first use; undefined outside of a run with
 * shared servers.
 *
 * @throws Error saying what is missing, where no server can be had
 */
export async function sharedServer(name: SharedServer): Promise<string | undefined> {
  const broker = process.env[BROKER_VARIABLE];
  if (broker === undefined) return undefined;
  const answer = await fetch(new URL(name, broker));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
