/** The list of tools as a client reads it. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { withoutReferences } from '../../router/tools/agent-schema.ts';
import type { Tool } from '../../router/tools/tools.ts';
import { getRowsTool } from './row-pages.ts';
import { PAGE_META, PAINT_ANSWER, paintAnswerTool, SHOW_ANSWER, showAnswerTool, VIEW_ANSWER } from './show-answer.ts';

/** How tools are described; see `Connection`. */
interface Form {
  readonly isStructured: boolean;
  readonly isFlat: boolean;
}

/** Lists the tools that a caller may call. @param hasPage whether the client shows the page of an answer */
export function listedTools(permitted: readonly Tool[], form: Form, hasPage: boolean): readonly ListedTool[] {
  const own = [
    ...(permitted.length === 0 ? [] : [getRowsTool]),
    ...(permitted.some(({ name }) => name === VIEW_ANSWER) ? [showAnswerTool] : []),
    ...(hasPage ? [paintAnswerTool] : []),
  ];
  return [...permitted.filter(({ isInner }) => isInner !== true), ...own].map((tool) => ({
    ...toListed(tool, form),
    ...(hasPage && (tool.name === SHOW_ANSWER || tool.name === PAINT_ANSWER) ? { _meta: PAGE_META[tool.name] } : {}),
  }));
}

type Described = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'writes'>;

/** Describes a tool to a client. A tool may be called again with the same result, and almost every one only reads. */
function toListed(tool: Described, { isStructured, isFlat }: Form): ListedTool {
  const { name, title, description, inputSchema, outputSchema, writes = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...(isFlat ? withoutReferences(inputSchema) : inputSchema), type: 'object' },
    ...(isStructured ? { outputSchema: { ...outputSchema, type: 'object' } } : {}),
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: writes,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}
