import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'dispatch',
  Type.Object(
    {
      directorAddresses: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        default: ['director', 'operator', '*/director'],
        maxItems: 1_000,
        env: 'DIRECTOR_ADDRESSES',
        description: 'Addresses whose mail is for the director of the work, never for a worker; `*/` matches any host.',
      }),
      reofferMinutes: Type.Number({
        default: 60,
        exclusiveMinimum: 0,
        maximum: 10_080,
        env: 'DISPATCH_REOFFER_MINUTES',
        description: 'A task that nobody claims within this time after it was dispatched is dispatched again.',
      }),
      runHere: Type.Boolean({
        default: true,
        env: 'DISPATCH_RUN_HERE',
        description: 'Executes ready tasks of agents that run in the gateway by itself. Off: only dispatch_cycle executes them.',
      }),
      unservedMinutes: Type.Number({
        default: 30,
        minimum: 1,
        maximum: 10_080,
        env: 'DISPATCH_UNSERVED_MINUTES',
        description: 'A claimable task that waits longer than this while nobody works for its repo and agent is an item of attention.',
      }),
      scheduleIgnoreRepos: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        default: [],
        maxItems: 10_000,
        env: 'SCHEDULE_IGNORE_REPOS',
        description: 'Repos whose tasks dispatch_cycle skips, and which are not executed without it.',
      }),
      defaultChatId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, env: 'DEFAULT_CHAT_ID', description: 'Chat that is notified of dispatch cycles.' }),
      ),
      inlineEnabled: Type.Boolean({ default: false, env: 'INLINE_EXEC_ENABLED', description: 'Enables inline_execute.' }),
      inlineQuota: Type.Integer({
        default: 100,
        minimum: 0,
        maximum: 1_000_000,
        env: 'INLINE_EXEC_QUOTA',
        description: 'Tasks inline_execute may run per tenant and day (UTC).',
      }),
    },
    closed,
  ),
)
