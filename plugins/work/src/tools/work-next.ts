import {
  BadRequest,
  type CallContext,
  closed,
  defined,
  defineTool,
  isToolError,
  nonBlankText,
  repoText,
  type Toolbox,
  Type,
  toolbox,
} from '@gateway/sdk'
import { compact } from '../rules/compact.ts'

const anything = Type.Object({}, { additionalProperties: true })

export const workNext = defineTool({
  name: 'work_next',
  description:
    'Claim a task, with the context of its repo and your mail; end it with work_done. Returns {claimed, task?, context?, mail?}.',
  capability: 'work',
  effect: 'write',
  listing: 'core-only',
  input: Type.Object(
    {
      claimedBy: Type.Optional(nonBlankText(200, { description: 'Your name. Default: the label of your key.' })),
      repo: Type.Optional(repoText(200, { description: 'Only this repo.' })),
      waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 55, description: 'Wait for a task.' })),
      mailTo: Type.Optional(nonBlankText(200, { description: 'Your address.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      claimed: Type.Boolean(),
      task: Type.Optional(anything),
      reason: Type.Optional(Type.String()),
      context: Type.Optional(Type.String({ description: 'Markdown: state, handoff, memory of the repo.' })),
      mail: Type.Optional(Type.Array(anything)),
    },
    closed,
  ),
  uses: { toolbox },
  async handle({ claimedBy, repo, waitSeconds, mailTo }, { toolbox }, ctx) {
    const wait = takes(toolbox, 'tasks_claim', 'waitSeconds') ? { waitSeconds } : {}
    const claim = defined({ claimedBy, repo, ...wait })
    const { unread, taken } = await orUnchanged(ctx, async () => {
      // A mailbox that cannot be read is found before a task is taken for it.
      const unread = mailTo === undefined ? undefined : await mailOf(toolbox, mailTo, ctx.signal)
      return { unread, taken: await call<Taken>(toolbox, 'tasks_claim', claim, ctx.signal) }
    })
    const { claimed, reason } = taken
    const arrived = waitSeconds && unread && mailTo !== undefined ? await orNothing(mailOf(toolbox, mailTo, ctx.signal)) : undefined
    const mail = arrived ?? unread
    if (taken.task === undefined) return { claimed, ...defined({ reason, mail }) }
    const context = await contextOf(toolbox, String(taken.task.repo), ctx.signal)
    return { claimed, task: compact(taken.task), ...defined({ context, mail }) }
  },
})

interface Taken {
  readonly claimed: boolean
  readonly task?: Record<string, unknown>
  readonly reason?: string
}

/** A claim is never cut off while it takes a task, so that a call that is cancelled before it has one has changed nothing. */
async function orUnchanged<R>(ctx: CallContext, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error) && error.code === 'CANCELLED') ctx.changedNothing()
    throw error
  }
}

async function call<R>(toolbox: Toolbox, name: string, args: object, signal: AbortSignal): Promise<R> {
  return (await toolbox.call(name, args, { signal })).result as R
}

function takes(toolbox: Toolbox, name: string, argument: string): boolean {
  const { properties = {} } = (toolbox.get(name)?.input ?? {}) as { properties?: object }
  return Object.hasOwn(properties, argument)
}

async function mailOf(toolbox: Toolbox, to: string, signal: AbortSignal): Promise<Record<string, unknown>[] | undefined> {
  if (toolbox.get('mail_inbox') === undefined) return undefined
  try {
    const { messages } = await call<{ messages: Record<string, unknown>[] }>(toolbox, 'mail_inbox', { to, limit: 10 }, signal)
    return messages.map(compact)
  } catch (error) {
    if (!isToolError(error) || error.code !== 'BAD_REQUEST') throw error
    throw BadRequest({ field: 'mailTo', message: error.message.replace(/^`to`/, '`mailTo`') })
  }
}

/** A claimed task must reach its worker even where the rest of the answer cannot be read. */
async function orNothing<R>(reading: Promise<R>): Promise<R | undefined> {
  try {
    return await reading
  } catch {
    return undefined
  }
}

async function contextOf(toolbox: Toolbox, repo: string, signal: AbortSignal): Promise<string | undefined> {
  if (toolbox.get('context_boot') === undefined) return undefined
  const read = await orNothing(call<{ bundle: string }>(toolbox, 'context_boot', { repo, include: [] }, signal))
  return read?.bundle
}
