import type {
  Datasource,
  DatasourceLoader,
  DatasourceProblem,
  DatasourceType,
} from '../../../router/capabilities/datasources.ts';
import type { Log } from '../../../router/capabilities/log.ts';

/** A surface that keeps its documents, and refuses documents that begin with `broken`. */
export interface KeepingLoader extends DatasourceLoader {
  /** What is served now, by id: the datasource and its document. */
  readonly serving: Map<string, { readonly datasource: Datasource; readonly text: string }>;
  /** `load shop`, `unload shop`, in their order. */
  readonly calls: string[];
  /** Takes the place of the usual answer while it is set. */
  answer: ((datasource: Datasource, text: string) => Promise<readonly DatasourceProblem[]>) | undefined;
}

export function keepingLoader(type: DatasourceType): KeepingLoader {
  const loader: KeepingLoader = {
    type,
    serving: new Map(),
    calls: [],
    answer: undefined,
    async load(datasource, text) {
      loader.calls.push(`load ${datasource.id}`);
      const problems = await (loader.answer ?? usual)(datasource, text);
      if (!problems.some((problem) => problem.severity === 'error'))
        loader.serving.set(datasource.id, { datasource, text });
      return problems;
    },
    unload(id) {
      loader.calls.push(`unload ${id}`);
      loader.serving.delete(id);
    },
  };
  return loader;
}

async function usual(_: Datasource, text: string): Promise<readonly DatasourceProblem[]> {
  return text.startsWith('broken') ? [{ severity: 'error', message: 'It is broken.', line: 1 }] : [];
}

/** Makes a log that keeps its lines as JSON. */
export function keptLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log = {
    lines,
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    hide() {},
    child: () => log,
  };
  return log;
}
