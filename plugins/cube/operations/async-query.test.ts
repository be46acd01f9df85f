/** Asynchronous queries, as REST callers see them, on a cube whose figures are computed by hand; see `testing/store.ts`. */
import { expect, it } from 'vitest';
import { describeStore, REGIONS, resultOf } from '../testing/engine-fixture.ts';
import { scope } from '../testing/fixture.ts';

describeStore('an asynchronous cube query', (store) => {
  it('is submitted, observed and fetched in either format', async () => {
    const submitted = await store.cubes.call('POST /query/execute-async', REGIONS);
    expect(submitted).toMatchObject({ status: 202, body: { status: expect.stringMatching(/PENDING|RUNNING/) } });
    const { queryId } = submitted.body;
    const result = await resultOf(store.cubes, queryId);
    expect(result.body).toMatchObject({ queryId, status: 'SUCCESS', format: 'records', totalRows: 2 });
    expect((await store.cubes.call(`GET /query/status/${queryId}`)).body).toEqual({ queryId, status: 'DONE' });
    expect((await store.cubes.call(`GET /query/result/${queryId}?format=matrix`)).body.matrix).toHaveLength(2);
    expect((await store.cubes.call(`DELETE /query/${queryId}`)).body).toEqual({ queryId, status: 'DONE' });
    expect((await store.cubes.call(`GET /query/${queryId}/drillthrough`)).status).toBe(200);
  });

  it('is checked before it is accepted', async () => {
    const { status, body } = await store.cubes.call('POST /query/execute-async', {
      ...REGIONS,
      measures: [{ name: 'X' }],
    });
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'measures[0].name' });
  });

  it('belongs to its caller only', async () => {
    const { body } = await store.cubes.call('POST /query/execute-async', REGIONS);
    const other = { ...scope('ROLE_ADMIN'), user: 'bob' };
    for (const request of [
      `GET /query/status/${body.queryId}`,
      `GET /query/result/${body.queryId}`,
      `DELETE /query/${body.queryId}`,
    ]) {
      const strangers = await store.cubes.call(request, undefined, other);
      const unknown = await store.cubes.call(request.replace(body.queryId, 'none'), undefined, other);
      expect(strangers).toEqual(unknown);
      expect(strangers).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });
});
