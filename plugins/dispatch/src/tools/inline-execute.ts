import { taskDraft } from '@gateway/plugin-tasks/api'
import { closed, defineTool, SwitchedOff, Type } from '@gateway/sdk'
import { inlineUses, runInline } from '../operations/inline.ts'

const TASKS = { default: 10, min: 1, max: 50 }

export const inlineExecute = defineTool({
  name: 'inline_execute',
  description:
    'Run short maintenance tasks that need no model: those assigned to the agent `inline` whose title or description has a line “inline: <op> {arguments}”, with op reprioritize, health, reindex, seed-schedules, usage-summary or repo-status. Returns {results, remainingQuota, reason?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/orchestration/inline-executions',
  input: Type.Object(
    {
      maxTasks: Type.Optional(
        Type.Integer({ default: TASKS.default, description: `Clamped to ${TASKS.min}..${TASKS.max} and to the rest of the day’s quota.` }),
      ),
      repo: Type.Optional({ ...taskDraft.properties.repo, description: 'Only tasks of this repo.' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      results: Type.Array(
        Type.Object(
          {
            taskId: Type.String(),
            op: Type.String(),
            outcome: Type.Enum(['done', 'failed', 'skipped']),
            error: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
      remainingQuota: Type.Integer({ description: 'Tasks that may still run today (UTC).' }),
      reason: Type.Optional(Type.String({ description: 'Reason nothing may run now.' })),
    },
    closed,
  ),
  uses: inlineUses,
  async handle({ maxTasks = TASKS.default, repo }, refs, ctx) {
    if (!refs.config.inlineEnabled) {
      throw SwitchedOff({ message: 'Inline execution is off; enable it with INLINE_EXEC_ENABLED=1.', setting: 'INLINE_EXEC_ENABLED' })
    }
    return runInline(refs, { maxTasks: Math.min(Math.max(maxTasks, TASKS.min), TASKS.max), repo }, ctx)
  },
})
