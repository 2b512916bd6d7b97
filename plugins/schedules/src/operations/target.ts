import { BadRequest, type CallContext, type Capability, gatewayInfo, type Resolved, toolbox } from '@gateway/sdk'
import { scheduleRunner } from '../api.ts'
import { refusedAsMessage } from '../rules/message-fault.ts'
import { type Order, toolCallOf } from '../rules/tool-call.ts'

export const targetUses = { toolbox, gateway: gatewayInfo, runners: scheduleRunner }
type Refs = Resolved<typeof targetUses>

/** Throws BAD_REQUEST when the target does not exist, and everything that `requireTarget` throws. */
export async function requireKnownTarget(refs: Refs, order: Order, ctx: CallContext): Promise<void> {
  if (order.kind === 'tool' && (await capabilityOf(refs, order.target)) === undefined) {
    throw BadRequest({ field: 'target', message: `\`target\` must name a tool of this gateway; got ${JSON.stringify(order.target)}.` })
  }
  const runner = refs.runners.find(({ kind }) => kind === order.kind)
  if (runner && !(await runner.knows(order.target))) {
    const { kind, target } = order
    throw BadRequest({
      field: 'target',
      message: `\`target\` must name ${kind === 'agent' ? 'an' : 'a'} ${kind} that exists; got ${JSON.stringify(target)}.`,
    })
  }
  await requireTarget(refs, order, ctx)
}

/**
 * Throws FORBIDDEN unless the caller may call the schedule's target, and BAD_REQUEST for arguments that it would refuse. For a target that does not exist yet, the capability is
 * checked when it runs.
 */
export async function requireTarget(refs: Refs, order: Order, ctx: CallContext): Promise<void> {
  if (order.kind !== 'tool' && !refs.runners.some(({ kind }) => kind === order.kind)) return
  const { tool, args } = toolCallOf(order, refs.runners)
  const capability = await capabilityOf(refs, tool)
  if (capability !== undefined) ctx.require(capability)
  await refs.toolbox.check(tool, args).catch((refusal: unknown) => {
    throw refusedAsMessage(refusal, tool)
  })
}

/** The toolbox hides what the caller may not call; a refusal says more. */
async function capabilityOf({ toolbox, gateway }: Refs, name: string): Promise<Capability | undefined> {
  const tool = (await toolbox.find(name)) ?? gateway.tools().find((one) => one.name === name)
  return tool?.capability as Capability | undefined
}
