/** The input and the output of the layout of a diagram. */

export interface DiagramInput {
  readonly nodes: readonly { readonly name: string; readonly width: number; readonly height: number }[];
  readonly edges: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** True for a layout from top to bottom. */
  readonly isNarrow: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DiagramLayout {
  readonly width: number;
  readonly height: number;
  /** The centres of the nodes. */
  readonly nodes: readonly (Point & { readonly name: string })[];
  readonly edges: readonly { readonly name: string; readonly points: readonly Point[] }[];
}

/** Lays out a diagram in a worker. Rejects where the worker fails. */
export function layOutInWorker(input: DiagramInput): Promise<DiagramLayout> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<DiagramLayout>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<DiagramLayout>) => resolve(data);
    worker.onerror = () => reject(new Error('The diagram could not be drawn.'));
    worker.postMessage(input);
  }).finally(() => worker.terminate());
}

/** Returns the node that is nearest in a direction; `undefined` where none is. */
export function neighbour(
  { nodes }: DiagramLayout,
  name: string,
  direction: 'left' | 'right' | 'up' | 'down',
): string | undefined {
  const from = nodes.find((node) => node.name === name);
  if (from === undefined) return undefined;
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const ahead = nodes.flatMap((node) => {
    const far = sign * (isAcross ? node.x - from.x : node.y - from.y);
    const beside = Math.abs(isAcross ? node.y - from.y : node.x - from.x);
    // A node to the side counts as farther than one straight ahead.
    return far > 1 ? [{ name: node.name, cost: far + 2 * beside }] : [];
  });
  return ahead.toSorted((a, b) => a.cost - b.cost)[0]?.name;
}
