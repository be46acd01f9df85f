import { z } from 'zod';
import { mcp } from '../../../plugins/mcp/index.ts';
import { skills } from '../../../plugins/skills/index.ts';
import { userOf } from '../../../router/caller.ts';
import { standardErrorFormat } from '../../../router/error-format.ts';
import { operation, operations } from '../../../router/operation.ts';
import { plugin, routersOf } from '../../../router/plugin.ts';
import { collectRoutes } from '../../../router/rest/routes.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { collectTools } from '../../../router/tools/tools.ts';
import type { McpBinding } from '../../http/mcp.ts';

/** The real endpoint of agents over one tool, `who`, which tells the caller and their roles. */
export function agentEndpoint(): McpBinding {
  const router = operations({
    who: operation({
      summary: 'w',
      access: 'user',
      tool: { name: 'who', title: 'Who', description: 'Tells who calls.' },
      rest: { method: 'GET', path: '/who' },
    })
      .output(z.object({ who: z.string() }))
      .query(({ ctx }) => ({ who: `${userOf(ctx).user} ${userOf(ctx).roles.join(',')}` })),
  });
  const made = plugin({ name: 'who', title: 'Who', router, errorFormat: standardErrorFormat });
  const { folders } = skills({ directoryOf: async () => '/nowhere', clock: Date.now });
  const tools = collectTools({
    router: operations(routersOf([made])),
    routes: collectRoutes([made]),
    onError: () => {},
  });
  return mcp({ tools, skills: folders, version: '1', log: silentLog });
}
