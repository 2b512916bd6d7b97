import { defineMetric } from '@gateway/sdk'

export const modelDuration = defineMetric('gen_ai.client.operation.duration', {
  kind: 'histogram',
  description: 'Duration of one attempt at a model call, to the end of its answer.',
  unit: 's',
  labels: ['gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
  buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
})
export const tokens = defineMetric('gen_ai.client.token.usage', {
  kind: 'histogram',
  description: 'Tokens of answered model calls.',
  unit: '{token}',
  labels: ['gen_ai.provider.name', 'gen_ai.token.type'],
  buckets: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
})
export const usable = defineMetric('gateway.providers.usable', {
  kind: 'gauge',
  description: '1 while calls are sent to a provider, 0 during its cooldown after failures or in maintenance.',
  unit: '{provider}',
  labels: ['provider'],
})
