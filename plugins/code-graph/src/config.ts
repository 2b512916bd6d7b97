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
          'The helper process ends after this time without a question; the next question starts it, and it finds its graphs in the store.',
      }),
      heapMegabytes: Type.Integer({ default: 1_024, minimum: 128, maximum: 16_384, description: 'Heap of the helper process.' }),
      answerSeconds: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 600,
        description:
          'The longest a call waits. The first graph of a large repo may take longer: the work goes on, and a later call has it.',
      }),
    },
    closed,
  ),
)
