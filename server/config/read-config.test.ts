import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './read-config.ts';

const read = (properties: string, environment: Record<string, string> = {}, overrides = {}) =>
  readConfig({ properties, environment, overrides });

describe('settings', () => {
  test('without any source every setting has its default', () => {
    const { config, warnings } = read('');
    expect(config['service.http.port']).toBe(8080);
    expect(config['service.query.maxRows']).toBe(10_000);
    expect(warnings).toEqual([]);
  });

  test('the command line overrides the environment, and the environment overrides the file', () => {
    const file = 'service.http.port=1\nservice.query.maxRows = 7\nservice.log.level=warn\n';
    const { config } = read(file, { SERVICE_HTTP_PORT: '2', SERVICE_QUERY_MAXROWS: '8' }, { 'service.http.port': '3' });
    expect(config['service.http.port']).toBe(3);
    expect(config['service.query.maxRows']).toBe(8);
    expect(config['service.log.level']).toBe('warn');
  });

  test('each attribute of single sign-on may have a property of its own', () => {
    const { config, warnings } = read(
      'service.oidc.attributes = tier=plan\nservice.oidc.attributes.regions=sales.regions\n',
    );
    expect(config['service.oidc.attributes']).toBe('tier=plan, regions=sales.regions');
    expect(warnings).toEqual([]);
  });

  test('invalid values stop the start, and the error lists all of them with their sources', () => {
    expect(() => read('service.http.port=many', { SERVICE_QUERY_MAXROWS: '0' })).toThrow(ConfigError);
    try {
      read('service.http.port=many', { SERVICE_QUERY_MAXROWS: '0' });
    } catch (error) {
      expect(String(error)).toContain('service.http.port in service.properties must be a whole number');
      expect(String(error)).toContain('the variable SERVICE_QUERY_MAXROWS must be at least 1');
    }
  });

  test.each(['-1', 'five', '2.5', '1e9'])(
    'an invalid k-anonymity threshold %s is replaced by 5 with a warning',
    (text) => {
      const { config, warnings } = read('', { SERVICE_AI_KANONYMITY_K: text });
      expect(config['service.ai.kAnonymity.k']).toBe(5);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain('SERVICE_AI_KANONYMITY_K');
    },
  );

  test('an unknown variable of the product is reported with the nearest variable', () => {
    const { warnings } = read('', {
      SERVICE_HTTP_PROT: '1',
      SERVICE_ADMIN_PASWORD: 'x',
      SERVICE_PORTT: '1',
      SERVICE_LOG_LEVEL: 'warn',
      SERVICE_HOME: '/srv',
      SERVICE_TEST_POSTGRES_URL: 'x',
      HTTP_PORT: '2',
    });
    expect(warnings).toEqual([
      'environment: nothing reads the variable SERVICE_HTTP_PROT; did you mean SERVICE_HTTP_PORT?',
      'environment: nothing reads the variable SERVICE_ADMIN_PASWORD; did you mean SERVICE_ADMIN_PASSWORD?',
      'environment: nothing reads the variable SERVICE_PORTT; did you mean SERVICE_HTTP_PORT?',
    ]);
  });

  test('each query surface has its own threshold, with the names of the interface', () => {
    const { config } = read('ai.kAnonymity = 7\nai.kAnonymity.maskValue = -1\n', { SERVICE_AI_KANONYMITY_K: '3' });
    expect(config['ai.kAnonymity']).toBe(7);
    expect(config['ai.kAnonymity.maskValue']).toBe('-1');
    expect(config['service.ai.kAnonymity.k']).toBe(3);
    const environment = read('ai.kAnonymity = 7\n', { SERVICE_AI_KANONYMITY: '9', SERVICE_AI_KANONYMITY_MASK: '*' });
    expect(environment.config['ai.kAnonymity']).toBe(9);
    expect(environment.config['ai.kAnonymity.maskValue']).toBe('*');
    const invalid = read('', { SERVICE_AI_KANONYMITY: 'none' });
    expect(invalid.config['ai.kAnonymity']).toBe(5);
    expect(invalid.warnings[0]).toContain('SERVICE_AI_KANONYMITY ');
  });

  test('k-anonymity may be switched off with 0', () => {
    expect(read('', { SERVICE_AI_KANONYMITY_K: '0' }).config['service.ai.kAnonymity.k']).toBe(0);
  });

  test('a property without a setting causes a warning with the nearest setting', () => {
    expect(read('service.http.prot=1').warnings).toEqual([
      'service.properties: there is no setting service.http.prot; did you mean service.http.port?',
    ]);
  });
});
