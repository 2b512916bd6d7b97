import type { CallContext, ShadowReport, Toolbox } from '@gateway/sdk'

export interface AllowedUses {
  readonly toolbox: Toolbox
  readonly roles: Pick<ShadowReport, 'enforced'>
}

/**
 * True if a tool exists that a call of this caller would reach: by the limits of its key, by the scope of its token, and by the
 * capabilities of its role where roles are enforced.
 */
export function mayCall(name: string, { toolbox, roles }: AllowedUses, ctx: CallContext): boolean {
  const { confinedTo, scopes } = ctx.principal
  const tool = toolbox.get(name)
  if (tool === undefined) return false
  if (confinedTo !== undefined) return Object.hasOwn(confinedTo, name)
  if (scopes?.includes(tool.capability) === false) return false
  return (!roles.enforced && tool.capability !== 'operator') || ctx.holds(tool.capability)
}
