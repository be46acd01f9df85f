/**
 * Plays the agent loop of the interface without a language model, over MCP and over REST: lists, describes, searches
 * values, asks, makes each documented kind of mistake on purpose and corrects it from the error. Prints each step.
 *
 *   npm start
 *   API_KEY=$(node dist/service.js api-key create --label agent) npx tsx demo/agent/run.ts http://localhost:8080
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Body, CUBE_MISTAKES, type ErrorContent, type Mistake, SEMANTIC_MISTAKES, setAt } from './mistakes.ts';

export interface AgentOptions {
  /** Origin of the service. */
  readonly url: string;
  readonly key: string;
  readonly write: (line: string) => void;
}

interface Called {
  readonly isError: boolean;
  readonly answer: Body;
}

type Call = (tool: string, input: Body) => Promise<Called>;

/** Number of calls after which the agent gives up a question. */
const MAX_TRIES = 3;
/** Number of candidates that the transcript shows of each list. */
const SHOWN_CANDIDATES = 4;

/** Plays the loop over both transports. Rejects where a mistake could not be corrected. */
export async function playAgent({ url, key, write }: AgentOptions): Promise<void> {
  const client = new Client({ name: 'demo-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { Authorization: `Bearer ${key}` };
  const address = new URL(`${url}/rest/service/api/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  try {
    write('# Over MCP\n');
    await play(async (tool, input) => {
      const { isError, content } = await client.callTool({ name: tool, arguments: input });
      const [first] = content;
      return { isError: isError === true, answer: first?.type === 'text' ? JSON.parse(first.text) : {} };
    }, write);
  } finally {
    await client.close();
  }
  write('\n# Over REST\n');
  await play(rest(url, headers), write);
}

/** Calls the REST operations behind the tools. */
function rest(url: string, headers: Readonly<Record<string, string>>): Call {
  const base = `${url}/rest/service/api/ai`;
  const query = (input: Body) =>
    new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]));
  const addresses: Readonly<Record<string, (input: Body) => readonly [path: string, body?: Body]>> = {
    list_semantic_models: () => ['/semantic/models'],
    describe_semantic_model: ({ connection, model }) => [`/semantic/schema/${connection}/${model}?detail=index`],
    search_field_values: (input) => [`/semantic/values/search?${query(input)}`],
    run_semantic_query: (input) => ['/semantic/query', input],
    run_query: (input) => ['/query', input],
  };
  return async (tool, input) => {
    const [path = '', body] = addresses[tool]?.(input) ?? [];
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse(await response.text());
    return { isError: !response.ok, answer: Array.isArray(answer) ? { models: answer } : answer };
  };
}

async function play(call: Call, write: AgentOptions['write']): Promise<void> {
  const listed = await call('list_semantic_models', {});
  const [{ connectionName: connection, modelName: model, description }] = listed.answer.models;
  write(`Models: ${connection}/${model}, ${description}`);
  const { answer: schema } = await call('describe_semantic_model', { connection, model });
  write(`It has the metrics ${Object.keys(schema.index.metrics).slice(0, 5).join(', ')}, …`);
  const search = { connection, dataset: 'stores', field: 'city', q: 'berlin' };
  const { answer: values } = await call('search_field_values', search);
  write(`The city in the question is written ${JSON.stringify(values.matches[0])}.`);
  const { simpleGroupBy } = schema.examples;
  const first = await call('run_semantic_query', simpleGroupBy.body);
  write(`An example as it stands, "${simpleGroupBy.description}": ${first.answer.records.length} records.\n`);
  for (const mistake of SEMANTIC_MISTAKES) await mended(call, 'run_semantic_query', mistake, write);
  for (const mistake of CUBE_MISTAKES) await mended(call, 'run_query', mistake, write);
}

async function mended(call: Call, tool: string, { title, wrong, mend }: Mistake, write: AgentOptions['write']) {
  const body: Body = structuredClone(wrong);
  write(`${tool} with ${title}`);
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    write(`  -> ${formatRequest(body)}`);
    const { isError, answer } = await call(tool, body);
    if (!isError) {
      if (tries === 1) throw new Error(`${title} was not refused`);
      const { length } = answer.records ?? answer.data;
      write(`  <- ${length} ${length === 1 ? 'record' : 'records'}\n`);
      return;
    }
    const error = readError(answer);
    write(`  <- ${error.field}: ${error.message}`);
    if (error.available.length > 0) write(`     available: ${shorten(error.available)}`);
    if (mend !== undefined) mend(body, error);
    else setAt(body, error.field, error.available[0]);
  }
  throw new Error(`${title} could not be mended`);
}

/** Formats a request without the members that all requests share. */
function formatRequest({ connection: _connection, model: _model, cube: _cube, ...request }: Body): string {
  return JSON.stringify(request);
}

function shorten(available: readonly string[]): string {
  const shown = available.slice(0, SHOWN_CANDIDATES);
  return [...shown, ...(available.length > shown.length ? ['…'] : [])].join(', ');
}

/** Reads an error. The two surfaces write the same content in different envelopes. */
function readError({ field, message, error, available }: Body): ErrorContent {
  return { field: String(field ?? ''), message: String(message ?? error), available: available ?? [] };
}
