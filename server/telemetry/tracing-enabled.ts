/** Returns whether traces are sent, and where. */
export function isTracingEnabled(endpoint: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = [endpoint, environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, environment.OTEL_EXPORTER_OTLP_ENDPOINT];
  return environment.OTEL_SDK_DISABLED !== 'true' && named.some((each) => each !== undefined && each !== '');
}
