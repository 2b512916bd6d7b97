import { atLeast, defined, Forbidden, type OnBehalf, type Tool, type Toolbox, ToolError, type ToolInfo } from '@gateway/sdk'
import { published } from '@gateway/sdk/portable'
import { argumentsValidator, validateLeniently } from '@gateway/validation'
import { withEither } from '@gateway/waiting'
import { UnknownTool } from '../errors.ts'
import type { Call, Inventory, Offered, Outcome } from '../gateway.ts'
import { holds, maySee, type Standing, standingKey } from '../rights/may.ts'
import { type CallScope, denial } from './context.ts'
import type { OwnTools } from './tenant-tools.ts'

export interface ToolboxParts {
  readonly inventory: Inventory
  readonly enforced: boolean
  readonly tenantTools: (scope: CallScope) => OwnTools | Promise<OwnTools>
  readonly invoke: (call: Call) => Promise<Outcome>
}

/** Refusals of a called tool, which pass through the calling tool undeclared. */
const passed = new WeakSet<ToolError>()
export function passOn(refusal: ToolError): ToolError {
  passed.add(refusal)
  return refusal
}
export const isPassedOn = (error: ToolError): boolean => passed.has(error)

/** Creates the toolbox of each call: the tools that its caller may call, run on the single call path and audited as the caller's. */
export function toolboxes({ inventory, enforced, tenantTools, invoke }: ToolboxParts): (scope: CallScope) => Toolbox {
  const infos = describeTools(inventory)
  const lists = new Map<string, readonly ToolInfo[]>()
  const open = (caller: Standing, { item }: Offered<Tool>): boolean => maySee(caller, item, enforced)

  /** Cached per list and standing, so that the toolbox also returns the same array for the same tools. */
  const ownLists = new WeakMap<OwnTools, Map<string, readonly ToolInfo[]>>()
  async function ownFor(scope: CallScope): Promise<readonly ToolInfo[]> {
    const { principal } = scope
    const tools = await tenantTools(scope)
    const key = standingKey(principal)
    let byStanding = ownLists.get(tools)
    if (!byStanding) ownLists.set(tools, (byStanding = new Map()))
    let list = byStanding.get(key)
    if (!list) byStanding.set(key, (list = Object.freeze(tools.filter((tool) => open(principal, tool)).map(describeTool))))
    return list
  }

  function listFor(caller: Standing): readonly ToolInfo[] {
    const key = standingKey(caller)
    let list = lists.get(key)
    if (!list) lists.set(key, (list = Object.freeze([...infos.keys()].flatMap((name) => describedFor(name, caller) ?? []))))
    return list
  }

  function describedFor(name: string, caller: Standing): ToolInfo | undefined {
    const tool = inventory.tools.get(name)
    return tool && open(caller, tool) ? infos.get(name) : undefined
  }
  const isOfGateway = (name: string): boolean => inventory.tools.has(name) || inventory.routes.has(name)

  return (scope) => ({
    list: () => listFor(scope.principal),
    get: (name) => describedFor(name, scope.principal),
    own: () => ownFor(scope),
    async find(name) {
      if (isOfGateway(name)) return describedFor(name, scope.principal)
      return (await ownFor(scope)).find((info) => info.name === name)
    },
    async check(name, args) {
      const item = inventory.tools.get(name)?.item
      if (item) {
        if (!maySee(scope.principal, item, enforced)) throw denial(scope.principal, item, name)
        const valid = validateLeniently(argumentsValidator(item.input), item.input, args)
        item.check?.(valid as never, scope)
      } else (await tenantTools(scope)).find((own) => own.item.name === name)?.validate(args)
    },
    async call(name, args, { as, in: tenantId, byModel = false, signal } = {}) {
      // Plain routes share the call path but are not tools, and a tool that calls tools must not call itself through another.
      if (!infos.has(name) && isOfGateway(name)) throw passOn(UnknownTool({ name }))
      if (as) checkRank(scope, as)
      if (tenantId !== undefined) checkReach(scope, tenantId)
      const who = { ...as, ...(tenantId !== undefined && { tenantId }), ...(byModel && { byModel }) }
      // The called tool has commits of its own.
      await scope.commit?.commitBeforeOutsideEffect()
      const called = signal
        ? withEither(scope.signal, signal, (either) => invoke(scope.asCall(name, args, who, either)))
        : invoke(scope.asCall(name, args, who))
      const outcome = await scope.outside(called)
      if (outcome.replayed) scope.replay = { replayed: true, ...defined({ omitted: outcome.omitted }) }
      if (outcome.ok)
        return outcome.content === undefined ? { result: outcome.result } : { result: outcome.result, content: outcome.content }
      const { code, error, details } = outcome.error
      throw passOn(new ToolError(code, outcome.status, error, details))
    },
  })
}

/** Acting for another lends no power: otherwise a caller that may call as anyone could do anything. */
function checkRank({ principal }: CallScope, { id, role }: OnBehalf): void {
  if (atLeast(principal.role, role)) return
  throw Forbidden({ message: `A caller with the role ${principal.role} cannot act for ${id}, whose role is ${role}.` })
}

function checkReach({ principal }: CallScope, tenantId: string): void {
  if (tenantId === principal.tenantId || holds(principal.role, 'operator')) return
  throw Forbidden({ message: `A caller with the role ${principal.role} cannot act in another tenant.` })
}

function describeTools({ tools }: Inventory): ReadonlyMap<string, ToolInfo> {
  const infos = new Map<string, ToolInfo>()
  for (const tool of tools.values()) if (tool.item.listing !== 'core-only') infos.set(tool.item.name, describeTool(tool))
  return infos
}

function describeTool({ plugin, item: { name, description, capability, effect, input } }: Offered<Tool>): ToolInfo {
  return Object.freeze({ name, plugin, description, capability, effect, input: published(input) })
}
