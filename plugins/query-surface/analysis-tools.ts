/** The agent tools that are one for all query surfaces. */
import type { ToolMeta } from '../../router/operation.ts';

const QUERY = { query: 'A request of run_semantic_query or of run_query.' };

const SALES_BY_MONTH = {
  query: {
    connection: 'demo',
    rows: [{ dataset: 'sales', field: 'date', grain: 'month' }],
    values: [{ metric: 'net_sales' }],
  },
  timeAxis: 'sales.date.month',
} as const;

/**
 * Returns the tools of analyses for the requests of one surface.
 *
 * @param has the member that its requests have, and those of other surfaces have not
 */
export function analysisTools(has: string) {
  const part = { in: 'query', has };
  return {
    anomaly: {
      name: 'find_anomalies',
      title: 'Find unusual values over time',
      description:
        'Answers a query with a time in its rows, and flags what is unusual along it. `timeAxis` is a column of the answer, for a cube a level of time.',
      outlines: QUERY,
      part,
      examples: [SALES_BY_MONTH],
    },
    forecast: {
      name: 'forecast',
      title: 'Forecast over time',
      description:
        'Answers a query with a time in its rows, and continues its numbers along it; `timeAxis` as for find_anomalies.',
      outlines: QUERY,
      part,
      examples: [{ ...SALES_BY_MONTH, horizon: 6 }],
    },
  } as const satisfies Record<string, ToolMeta>;
}
