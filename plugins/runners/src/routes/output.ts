import { closed, defineRoute, Type, toolbox } from '@gateway/sdk'
import { lane, type Run, runsAtWork, runUses } from '../operations/runs.ts'

/** Runs whose output is read, each with one call. */
const MAX_RUNS = 10
const LINES_EACH = 40

interface Line {
  readonly createdAt: string
  readonly message: string
  readonly level?: string
}

export const runnersOutput = defineRoute({
  name: 'runners.output',
  description: `Read the newest output of the runs at work, by lane: ${LINES_EACH} lines of each of the ${MAX_RUNS} latest. Returns {lines}, newest first.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runners/output',
  input: Type.Object({ lane: Type.Optional(lane) }, closed),
  output: Type.Object(
    {
      lines: Type.Array(
        Type.Object(
          {
            at: Type.String(),
            message: Type.String(),
            level: Type.String(),
            taskId: Type.String(),
            title: Type.String(),
            lane: Type.String(),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  uses: { ...runUses, toolbox },
  async handle({ lane }, { toolbox, ...uses }) {
    if (toolbox.get('logs_list') === undefined) return { lines: [] }
    const linesOf = async ({ taskId, title, lane }: Run) => {
      const { result } = await toolbox.call('logs_list', { correlationId: taskId, limit: LINES_EACH })
      const { logs } = result as { readonly logs: readonly Line[] }
      return logs.map(({ createdAt: at, message, level = 'info' }) => ({ at, message, level, taskId, title, lane }))
    }
    const lines = (await Promise.all((await runsAtWork(uses, lane)).slice(0, MAX_RUNS).map(linesOf))).flat()
    return { lines: lines.sort((a, b) => (a.at < b.at ? 1 : -1)) }
  },
})
