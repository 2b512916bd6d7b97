import { closed, defineConfig, httpAddress, Type } from '@gateway/sdk'

const count = (preset: number, maximum: number, env: string, description: string) =>
  Type.Integer({ default: preset, minimum: 1, maximum, env, description })

/** The variables are those of OpenTelemetry's SDKs, so that existing settings apply here. */
export const config = defineConfig(
  'otlp',
  Type.Object(
    {
      endpoint: Type.Optional(
        Type.String({
          rule: httpAddress,
          maxLength: 2_000,
          env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
          description: 'Address of the collector; spans go to {endpoint}/v1/traces. Without it, no spans are sent.',
        }),
      ),
      headers: Type.Array(Type.String({ pattern: "^[!#-'*+.^_`|~0-9A-Za-z-]+ *=", maxLength: 8_000 }), {
        default: [],
        maxItems: 32,
        secret: true,
        env: 'OTEL_EXPORTER_OTLP_HEADERS',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: how the config file names a variable
        description: 'Headers of each request, as name=value. Use an environment variable for a secret: authorization=Bearer ${TOKEN}.',
      }),
      disabled: Type.Boolean({ default: false, env: 'OTEL_SDK_DISABLED', description: 'Sends no spans, regardless of other settings.' }),
      serviceName: Type.String({
        default: 'gateway',
        minLength: 1,
        maxLength: 200,
        env: 'OTEL_SERVICE_NAME',
        description: 'Service name of the gateway in traces.',
      }),
      sampleRatio: Type.Number({
        default: 1,
        minimum: 0,
        maximum: 1,
        env: 'OTEL_TRACES_SAMPLER_ARG',
        description: 'Share of calls to sample when the caller sends no trace. When it does, the caller’s sampling decision applies.',
      }),
      timeoutMs: count(10_000, 120_000, 'OTEL_EXPORTER_OTLP_TIMEOUT', 'How long the collector may take for a request.'),
      maxQueue: count(2_048, 100_000, 'OTEL_BSP_MAX_QUEUE_SIZE', 'Spans that wait; more are dropped.'),
      maxBatch: count(512, 4_096, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'Spans in a request.'),
      delayMs: count(5_000, 600_000, 'OTEL_BSP_SCHEDULE_DELAY', 'How long a span waits at most for others to go with, in milliseconds.'),
    },
    closed,
  ),
)
