import type { CallContext, Toolbox } from '@gateway/sdk'

/** True if a tool exists that the caller may call, by the capabilities of its role or by the limits of its key. */
export function mayCall(name: string, toolbox: Toolbox, ctx: CallContext): boolean {
  const { confinedTo } = ctx.principal
  const tool = toolbox.get(name)
  return confinedTo === undefined ? tool !== undefined && ctx.holds(tool.capability) : Object.hasOwn(confinedTo, name)
}
