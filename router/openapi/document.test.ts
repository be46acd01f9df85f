import { validate } from '@readme/openapi-parser';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { standardErrorFormat } from '../error-body.ts';
import { operation, operations } from '../operation.ts';
import { plugin } from '../plugin.ts';
import { collectRoutes } from '../rest/routes.ts';
import { openApiDocument } from './document.ts';

const Thing = z
  .strictObject({ name: z.string().describe('Its name'), size: z.number().int().default(1) })
  .meta({ id: 'Thing' });

const toy = plugin({
  name: 'toy',
  title: 'Toys',
  errorFormat: standardErrorFormat,
  router: operations({
    get: operation({
      summary: 'One thing',
      access: 'user',
      implementationChoice: 'The order of things.',
      rest: { method: 'GET', path: '/toy/{path+}', query: ['refresh'] },
    })
      .input(z.strictObject({ path: z.string(), refresh: z.boolean().optional() }))
      .output(Thing)
      .query(() => ({ name: 'x', size: 1 })),
    put: operation({
      summary: 'Write',
      access: 'api-key',
      rest: { method: 'PUT', path: '/toy/{path+}', body: 'thing', query: ['at'] },
    })
      .input(z.strictObject({ path: z.string(), thing: Thing, at: z.number() }))
      .output(z.array(Thing))
      .mutation(() => []),
  }),
});

const document = () =>
  openApiDocument(collectRoutes([toy]), { title: 'Toy', version: '1.0.0', description: 'A toy.' }) as unknown as {
    readonly paths: {
      readonly '/toy/{path}': { readonly get: { readonly description: string }; readonly put: object };
    };
    readonly components: { readonly schemas: { readonly Thing: object } };
  };

describe('OpenAPI document', () => {
  test('an independent validator accepts it', async () => {
    const checked: unknown = await validate(JSON.parse(JSON.stringify(document())));
    expect(checked).toMatchObject({ valid: true });
  });

  test('path, query and body are described where REST reads them', () => {
    expect(document().paths['/toy/{path}'].put).toMatchObject({
      parameters: [
        { name: 'path', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'at', in: 'query', required: true, schema: { type: 'number' } },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
      security: [{ apiKey: [] }],
    });
  });

  test('an optional member of a body accepts null, and a query parameter does not', () => {
    expect(document().components.schemas.Thing).toMatchObject({
      properties: { name: { type: 'string' }, size: { type: ['integer', 'null'] } },
    });
    expect(document().paths['/toy/{path}'].get).toMatchObject({
      parameters: [{ name: 'path' }, { name: 'refresh', schema: { type: 'boolean' } }],
    });
  });

  test('a named schema is one component, as callers send it', () => {
    expect(document().components.schemas.Thing).toMatchObject({ type: 'object', required: ['name'] });
  });

  test('an operation is described in sentences: what it does, who may call it, and what the interface leaves open', () => {
    expect(document().paths['/toy/{path}'].get.description).toBe(
      [
        'One thing.',
        'Every user may call it: with a session, with name and password, or with an API key.',
        '**Implementation choice.** The order of things.',
      ].join('\n\n'),
    );
  });
});
