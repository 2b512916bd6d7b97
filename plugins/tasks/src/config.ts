import { closed, defineConfig, Type } from '@gateway/sdk'

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
      retentionDays: Type.Integer({
        default: 90,
        minimum: 1,
        maximum: 3650,
        env: 'TASK_RETENTION_DAYS',
        description: 'Days a task is kept after it was completed, or else last changed, once it is done, blocked or dead_letter.',
      }),
      mergeCompletes: Type.Boolean({
        default: true,
        env: 'TASK_MERGE_COMPLETES',
        description:
          'A merged pull request makes the tasks done that name it in prUrl and are in review or working; one that is closed without a merge, or a review that requests changes, makes them pending. Code hosting reports all three.',
      }),
      starvationThreshold: Type.Integer({
        default: 3,
        minimum: 1,
        env: 'TASK_STARVATION_THRESHOLD',
        description: 'Consecutive route-exhausted defers, over all tasks, that raise an alert; each multiple raises another.',
      }),
      noopThreshold: Type.Integer({
        default: 2,
        minimum: 1,
        env: 'TASK_NOOP_THRESHOLD',
        description:
          'Consecutive no-op flips to review, over all tasks, from which each is logged as a warning; each multiple raises an alert.',
      }),
    },
    closed,
  ),
)
