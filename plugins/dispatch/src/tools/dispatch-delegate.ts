import { parseAddress } from '@gateway/plugin-mailbox/api'
import { closed, defineTool, type Principal, reportedName, Type, withIdempotencyKey } from '@gateway/sdk'
import { delegateUses, mailed, planned, queued } from '../operations/delegate.ts'
import { modeOf } from '../rules/mode.ts'
import { type DelegateArguments, delegateInput } from '../schema.ts'

const record = Type.Optional(Type.Object({}))
const id = Type.Optional(Type.String())

export const dispatchDelegate = defineTool({
  name: 'dispatch_delegate',
  description:
    'Hand work to somebody else: as a swarm (several children; it waits for its approval), as a request by mail, or as a task. Returns {mode, swarmId or taskId or messageId} and what was made.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/dispatch/delegations',
  status: 201,
  input: withIdempotencyKey(delegateInput),
  output: Type.Object(
    {
      mode: Type.Enum(['swarm', 'task', 'mail']),
      swarmId: id,
      taskId: id,
      messageId: id,
      swarm: record,
      children: Type.Optional(Type.Array(Type.Object({}))),
      task: record,
      message: record,
    },
    closed,
  ),
  uses: delegateUses,
  check: (args, { principal }) => void readDelegation(args, principal),
  async handle(args, refs, ctx) {
    const { mode, from } = readDelegation(args, ctx.principal)
    const work = { ...args, from }
    switch (mode) {
      case 'swarm': {
        const plan = await planned(refs, work)
        return { mode, swarmId: plan.swarm?.swarmId as string, ...plan }
      }
      case 'mail': {
        const sent = await mailed(refs, work)
        return { mode, messageId: sent.message?.messageId as string, ...sent }
      }
      case 'task': {
        const made = await queued(refs, work)
        return { mode, taskId: made.task?.taskId as string, ...made }
      }
    }
  },
})

function readDelegation({ mode: asked = 'auto', children, to, repo, from: given }: DelegateArguments, principal: Principal) {
  const sender = reportedName('from', given, principal)
  const mode = modeOf({ mode: asked, childCount: children?.length ?? 0, to, repo })
  const from = parseAddress('from', sender)
  if (to !== undefined) parseAddress('to', to)
  return { mode, from }
}
