import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'code-graph',
  Type.Object(
    {
      idleSeconds: Type.Integer({
        default: 300,
        minimum: 1,
        maximum: 86_400,
        description:
          'The helper process stops after this time without a request; the next request starts it again, and it reads its graphs from the store.',
      }),
      heapMegabytes: Type.Integer({ default: 1_024, minimum: 128, maximum: 16_384, description: 'Heap of the helper process.' }),
      answerSeconds: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 600,
        description:
          'Maximum time a call waits. Building the first graph of a large repo may take longer: the work continues, and a later call uses it.',
      }),
    },
    closed,
  ),
)
