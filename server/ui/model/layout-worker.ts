/** Lays out the diagram of a model in a thread of its own. */
import { Graph, layout } from '@dagrejs/dagre';
import type { DiagramInput, DiagramLayout } from './diagram-layout.ts';

/** The part of the worker's global object that is used here. */
interface Port {
  onmessage: ((event: MessageEvent<DiagramInput>) => void) | null;
  postMessage(message: DiagramLayout): void;
}

export function layOut({ nodes, edges, isNarrow }: DiagramInput): DiagramLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: isNarrow ? 'TB' : 'LR',
    nodesep: 24,
    ranksep: isNarrow ? 40 : 140,
    marginx: 8,
    marginy: 8,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name, width, height } of nodes) graph.setNode(name, { width, height });
  for (const { name, from, to } of edges) graph.setEdge(from, to, {}, name);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map(({ name }) => {
      const { x, y } = graph.node(name);
      return { name, x, y };
    }),
    edges: edges.map(({ name, from, to }) => ({ name, points: graph.edge({ v: from, w: to, name }).points ?? [] })),
  };
}

const port: Port | undefined = Reflect.get(globalThis, 'self');
if (port !== undefined) port.onmessage = ({ data }) => port.postMessage(layOut(data));
