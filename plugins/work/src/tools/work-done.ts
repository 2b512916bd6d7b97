import { closed, defined, defineTool, isToolError, nonBlankText, type Toolbox, Type, toolbox } from '@gateway/sdk'

export const workDone = defineTool({
  name: 'work_done',
  description: 'End a task of work_next, with handoff, memory and result. Returns {status, written, failed?}.',
  capability: 'work',
  effect: 'write',
  listing: 'core-only',
  input: Type.Object(
    {
      taskId: nonBlankText(100, { description: 'Id from work_next.' }),
      claimId: nonBlankText(100, { description: 'Id from work_next.' }),
      outcome: Type.Enum(['done', 'review', 'blocked', 'failed'], { description: 'failed is retried.' }),
      notes: Type.Optional(nonBlankText(20_000, { description: 'Your report, or the error.' })),
      prUrl: Type.Optional(nonBlankText(2_000, { description: 'Pull request.' })),
      handoff: Type.Optional(nonBlankText(20_000, { description: 'For the next worker.' })),
      memory: Type.Optional(nonBlankText(20_000, { description: 'A fact to keep.' })),
      resultTo: Type.Optional(nonBlankText(200, { description: 'Address for the notes.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      status: Type.String({ description: 'Status of the task now.' }),
      written: Type.Array(Type.String(), { description: 'Tools that wrote.' }),
      failed: Type.Optional(
        Type.Array(Type.Object({ tool: Type.String(), error: Type.String() }, closed), {
          description: 'Tools that failed after the task was written; call them again.',
        }),
      ),
    },
    closed,
  ),
  uses: { toolbox },
  async handle({ taskId, claimId, outcome, notes, prUrl, handoff, memory, resultTo }, { toolbox }, { signal }) {
    const call = async (name: string, args: object) => (await toolbox.call(name, args, { signal })).result
    // The claim is checked first: a worker that outlived its lease writes nothing.
    const [tool, report] =
      outcome === 'failed'
        ? ['tasks_fail', { taskId, claimId, error: notes ?? 'The worker gave no reason.' }]
        : ['tasks_update', { taskId, claimId, status: outcome, ...defined({ notes, prUrl }) }]
    const { task } = (await call(tool, report)) as { task: { status: string; repo: string; title: string } }
    const { repo, title } = task
    const rest: readonly (readonly [string, object])[] = [
      ...(handoff === undefined ? [] : [['handoff_write', { repo, content: handoff, summary: title }] as const]),
      ...(memory === undefined ? [] : [['memory_store', { repo, content: memory }] as const]),
      ...(resultTo === undefined
        ? []
        : [['mail_send', { to: resultTo, kind: 'result', subject: `${outcome}: ${title}`, body: notes ?? '' }] as const]),
    ]
    const written = [tool]
    const failed: { tool: string; error: string }[] = []
    for (const [name, args] of rest) {
      const error = await attempt(toolbox, name, () => call(name, args))
      if (error === undefined) written.push(name)
      else failed.push({ tool: name, error })
    }
    return { status: task.status, written, ...(failed.length > 0 && { failed }) }
  },
})

async function attempt(toolbox: Toolbox, name: string, write: () => Promise<object>): Promise<string | undefined> {
  if (toolbox.get(name) === undefined) return `The tool ${name} is not available here.`
  try {
    await write()
    return undefined
  } catch (error) {
    if (isToolError(error)) return error.message
    throw error
  }
}
