/**
 * Starts the whole product over the demo's data with a stand-in for its language model, for tests that ask over HTTP.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LlmProvider } from '../../server/config/llm-providers.ts';
import { readConfig } from '../../server/config/read-config.ts';
import type { SettingName } from '../../server/config/settings.ts';
import { locateHome, makeHome } from '../../server/home-directory/home-directory.ts';
import { openPort } from '../../server/http/port.ts';
import { identityMigrations, openIdentity } from '../../server/identity/index.ts';
import { launch } from '../../server/launcher.ts';
import { type Reply, type SeenRequest, type StandIn, standIn } from '../../server/llm/testing/stand-in.ts';
import { openLog } from '../../server/log/log.ts';
import { openState } from '../../server/state/index.ts';
import { stageDemo } from '../stage.ts';
import { temporaryDirectory } from './warehouse.ts';

export const BASE = '/rest/service/api';
export const CUBE = { connectionName: 'demo-cubes', catalog: 'Shop', schema: 'Shop', cubeName: 'Sales' };
export const CUBE_ID = 'demo-cubes/Shop/Shop/Sales';
export const MODEL = { connection: 'demo', model: 'shop' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into a JSON answer as any client does.
  readonly body: any;
}

const PASSWORD = 'a password for this test';
const ADMINISTRATOR = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

export interface AskingProduct {
  readonly url: string;
  /** The `Authorization` header with the administrator's API key. */
  readonly authorization: string;
  /** A copy of the file of the demo's warehouse. */
  readonly warehouse: string;
  /** The stand-in for the language model; undefined where none is configured. */
  readonly llm: StandIn;
  /** Sets the model's answers from now on. */
  reply(with_: ReplyTo): void;
  /** Sends a request with an API key of these roles, or with the administrator's. */
  call(request: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Returns the raw response, for example one that streams. */
  send(request: string, body?: unknown, options?: CallOptions): Promise<Response>;
  stop(): Promise<void>;
}

export interface CallOptions {
  /** Uses the administrator's password instead of an API key. */
  readonly as?: 'admin';
  readonly roles?: readonly string[];
  readonly signal?: AbortSignal;
}

export type ReplyTo = (request: SeenRequest, index: number) => Reply | Promise<Reply>;

export interface AskingOptions {
  readonly provider?: LlmProvider | '';
  readonly settings?: Partial<Record<SettingName, string>>;
  /** Skills by name: the text below the frontmatter, or the whole file. */
  readonly skills?: Readonly<Record<string, string>>;
  /** Files for the datasources folder in addition to the demo's. */
  readonly datasources?: Readonly<Record<string, string>>;
  /** Roles of further API keys. */
  readonly roles?: readonly string[];
}

/** The warehouse that the first product of this run has generated. */
let generated: string | undefined;

export async function startAsking({
  provider = 'anthropic',
  settings = {},
  skills = {},
  datasources = {},
  roles = [],
}: AskingOptions = {}): Promise<AskingProduct> {
  const root = await temporaryDirectory();
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  // Generated once for all products of a test run.
  const file = join(home.data, 'demo-shop.duckdb');
  if (generated !== undefined) await copyFile(generated, file);
  await stageDemo({
    dataDirectory: home.data,
    datasourcesDirectory: home.datasources,
    repositoryDirectory: home.repository,
    contentDirectory: fileURLToPath(new URL('../content/', import.meta.url)),
    factRows: 6_000,
  });
  if (generated === undefined) {
    generated = join(await temporaryDirectory(), 'shop.duckdb');
    await copyFile(file, generated);
  }
  for (const [name, text] of Object.entries(datasources)) writeFileSync(join(home.datasources, name), text);
  mkdirSync(home.skills, { recursive: true });
  for (const [name, text] of Object.entries(skills)) writeFileSync(join(home.skills, `${name}.md`), text);
  mkdirSync(join(root, 'ui'));

  let reply: ReplyTo = () => ({ text: 'no reply was set' });
  const llm = await standIn(provider === '' ? 'anthropic' : provider, (request, index) => reply(request, index));
  const log = openLog('silent');
  const keys = await createKeys(join(home.data, 'state.sqlite'), [['ROLE_ADMIN'], ...roles.map((role) => [role])]);
  const { config } = readConfig({
    properties: '',
    environment: {},
    overrides: {
      'service.http.port': '0',
      ...(provider === '' ? {} : { 'service.ai.ask.provider': provider, 'service.ai.ask.endpoint': llm.endpoint }),
      ...settings,
    },
  });
  const port = await openPort('127.0.0.1', 0);
  const launched = await launch({
    home,
    config,
    log,
    port,
    environment: { ANTHROPIC_API_KEY: 'sk-test', OPENAI_API_KEY: 'sk-test' },
    adminPassword: PASSWORD,
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
  const url = `http://127.0.0.1:${port.port}`;
  const send: AskingProduct['send'] = (request, body, { roles: of = ['ROLE_ADMIN'], as, signal } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return fetch(`${url}${BASE}${path}`, {
      method,
      headers: {
        authorization: as === undefined ? `Bearer ${keys.get(of.join())}` : ADMINISTRATOR,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  const product: AskingProduct = {
    url,
    authorization: `Bearer ${keys.get('ROLE_ADMIN')}`,
    warehouse: generated,
    llm,
    reply(with_) {
      reply = with_;
    },
    send,
    async call(request, body, options) {
      const response = await send(request, body, options);
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async stop() {
      await launched.stop(0);
      await llm.close();
      await rm(root, { recursive: true });
    },
  };
  await awaitReady(product);
  return product;
}

async function createKeys(
  sqliteFile: string,
  roles: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, string>> {
  const log = openLog('silent');
  const state = await openState({ url: undefined, sqliteFile, log });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log });
  const { id: tenant } = await identity.tenants.ensure('default');
  const keys = new Map<string, string>();
  for (const each of roles) {
    keys.set(each.join(), (await identity.apiKeys.create({ tenant, label: 'test', roles: each })).key);
  }
  await state.close();
  return keys;
}

/**
 * Waits until the server serves the demo's model and cubes: on a busy machine they load for longer than a question
 * waits.
 */
async function awaitReady({ call }: AskingProduct): Promise<void> {
  const isServed = async (path: string, name: string) =>
    JSON.stringify((await call(`GET ${path}`)).body).includes(name);
  while (!((await isServed('/ai/semantic/models', '"shop"')) && (await isServed('/ai/cubes', CUBE_ID)))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Reads a request to the model, of either provider: its system prompt and its messages as texts. */
export function readPrompt({ body }: SeenRequest): { readonly system: string; readonly messages: readonly string[] } {
  const text = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));
  if (body.system !== undefined) {
    return {
      system: body.system.map((part: { text: string }) => part.text).join('\n'),
      messages: body.messages.map((each: { content: unknown }) => text(each.content)),
    };
  }
  const [system, ...messages] = body.messages;
  return { system: text(system.content), messages: messages.map((each: object) => JSON.stringify(each)) };
}

/** Creates a call of the query tool. */
export const semantic = (request: object): Reply => ({
  tool: 'SemanticAiQueryRequest',
  input: { ...MODEL, ...request },
});
export const cube = (request: object): Reply => ({ tool: 'CubeAiQueryRequest', input: { cube: CUBE_ID, ...request } });
