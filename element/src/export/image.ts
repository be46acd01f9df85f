import { DEFAULT_IMAGE_SCALE, MAX_IMAGE_SCALE } from '../limits.ts';
import type { ExportedImage } from '../types.ts';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** Returns the drawing on its background as an image file. */
export async function chartImage(drawing: SVGElement, background: string, options: ExportedImage): Promise<Blob> {
  const width = drawing.clientWidth || Number(drawing.getAttribute('width'));
  const height = drawing.clientHeight || Number(drawing.getAttribute('height'));
  const svg = new Blob([toStandaloneSvg(drawing, background, width, height)], { type: 'image/svg+xml' });
  if (options.type === 'svg') return svg;
  const scale = options.scale && options.scale > 0 ? Math.min(options.scale, MAX_IMAGE_SCALE) : DEFAULT_IMAGE_SCALE;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(await loadImage(svg), 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (png) => (png ? resolve(png) : reject(new DOMException('The image is too large.', 'EncodingError'))),
      'image/png',
    );
  });
}

function toStandaloneSvg(drawing: SVGElement, background: string, width: number, height: number): string {
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof SVGElement)) throw new Error('The copy of an SVG drawing must be SVG.');
  copy.setAttribute('xmlns', SVG_NAMESPACE);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.removeAttribute('style');
  const ground = document.createElementNS(SVG_NAMESPACE, 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', background],
  ] as const)
    ground.setAttribute(name, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

async function loadImage(svg: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } catch {
    throw new DOMException(
      'The policy of this page must allow img-src blob: to export a PNG. An SVG export needs no permission.',
      'NotSupportedError',
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
