import { defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'tasks',
  Type.Object(
    {
      maxRetries: Type.Integer({
        default: 3,
        minimum: 0,
        maximum: 100,
        env: 'TASK_MAX_RETRIES',
        description: 'Failures a task is retried after; the next one makes it dead_letter.',
      }),
      bulkBlockThreshold: Type.Integer({
        default: 5,
        minimum: 0,
        maximum: 10_000,
        env: 'BULK_BLOCK_THRESHOLD',
        description: 'Unauthorized moves into blocked that one repo may see within the window.',
      }),
      bulkBlockWindowMinutes: Type.Number({
        default: 15,
        exclusiveMinimum: 0,
        maximum: 1_440,
        env: 'BULK_BLOCK_WINDOW_MINUTES',
        description: 'Length of the sliding window of the bulk-block guard.',
      }),
      starvationThreshold: Type.Integer({
        default: 3,
        minimum: 1,
        env: 'TASK_STARVATION_THRESHOLD',
        description: 'Consecutive route-exhausted defers of one task that raise an alert, and so many again the next one.',
      }),
      noopThreshold: Type.Integer({
        default: 2,
        minimum: 1,
        env: 'TASK_NOOP_THRESHOLD',
        description: 'Consecutive no-op dispatches of one task from which each is logged as a warning.',
      }),
    },
    { additionalProperties: false },
  ),
)
