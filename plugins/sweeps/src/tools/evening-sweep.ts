import { taskFigures } from '@gateway/plugin-tasks/api'
import { closed, defined, defineTool, optional, Type, toolbox } from '@gateway/sdk'
import { config } from '../config.ts'
import { deliver } from '../operations/deliver.ts'
import { spendSince } from '../operations/spend.ts'
import { workIn } from '../operations/work.ts'
import { eveningReport } from '../rules/evening-report.ts'
import { chatId, Delivery } from '../schema.ts'

export const eveningSweep = defineTool({
  name: 'evening_sweep',
  description:
    'Report the day (UTC) in Markdown: tasks completed, LLM spend, repos worked, and what comes first tomorrow; with a chat it is sent there too. Returns {report, completed, spendUsd?, repos, delivered}.',
  capability: 'work',
  effect: 'write',
  openWorld: true,
  input: Type.Object(
    {
      chatId: Type.Optional(chatId),
      previewTopN: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, default: 3, description: 'Tasks in the preview of tomorrow.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      report: Type.String(),
      completed: Type.Integer({ description: 'Tasks completed today.' }),
      spendUsd: Type.Optional(Type.Number({ description: 'Absent when spend is not metered.' })),
      repos: Type.Array(Type.String()),
      ...Delivery,
    },
    closed,
  ),
  uses: { tools: toolbox, config, figures: optional(taskFigures) },
  async handle({ chatId, previewTopN = 3 }, { tools, config, figures }, ctx) {
    const day = ctx.now().toISOString().slice(0, 10)
    const since = `${day}T00:00:00.000Z`
    const completed = (await figures?.completedSince(since)) ?? { tasks: [], count: 0 }
    const { work } = await workIn(tools, ['working'])
    const preview = previewTopN === 0 ? [] : (await workIn(tools, ['pending'], previewTopN)).work
    const repos = [...new Set([...completed.tasks, ...work].map(({ repo }) => repo))].sort()
    const spendUsd = await spendSince(tools, since)
    const report = eveningReport({ day, completed: completed.tasks, completedCount: completed.count, spendUsd, repos, preview })
    const delivery = await deliver(
      tools,
      { title: `Evening report, ${day}`, text: report, chatId, defaultChat: config.chatId },
      ctx.tenantId,
    )
    return { report, completed: completed.count, ...defined({ spendUsd }), repos, ...delivery }
  },
})
