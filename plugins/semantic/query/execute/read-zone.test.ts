import { expect, test } from 'vitest';
import { DEFAULT_TIME } from '../../model/time-settings.ts';
import { readZone } from './read-zone.ts';

test('the zone of the request is read, else the model’s zone, in the spelling of engines', async () => {
  const read: string[] = [];
  const dialect = {
    readZone: (zone: string) => {
      read.push(zone);
      return Promise.resolve();
    },
  };
  const target = { model: { time: { ...DEFAULT_TIME, timezone: 'Asia/Tokyo' } }, warehouse: { dialect } };
  await readZone({ timezone: 'europe/berlin' }, target);
  await readZone({}, target);
  await readZone({ timezone: 'Mars/Olympus' }, target);
  await readZone({}, { ...target, model: { time: DEFAULT_TIME } });
  await readZone({ timezone: 'Europe/Berlin' }, { ...target, warehouse: { dialect: {} } });
  expect(read).toEqual(['Europe/Berlin', 'Asia/Tokyo', 'Asia/Tokyo']);
});
