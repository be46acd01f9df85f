export type { MoreToRead } from './more-reads.ts';
export {
  type AskBoxToRender,
  type DashboardToRender,
  type QueryToRender,
  type RenderOptions,
  renderToString,
} from './render-to-string.ts';
