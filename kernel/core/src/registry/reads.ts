import { BadRequest, type Complete, NotFound } from '@gateway/sdk'
import type { Call, CompletionRequest, Outcome } from '../gateway.ts'
import { authorize, CallScope } from './context.ts'
import { checkContent, checkEmbedded } from './embedded.ts'
import type { InvokeParts } from './invoke-parts.ts'
import { COMMON, caught, refuse } from './outcome.ts'
import type { Owner } from './owner.ts'
import { matchResource } from './resources.ts'
import { recordRun } from './run-records.ts'
import type { TimeLimits } from './time-limits.ts'

type Caller = Omit<Call, 'name' | 'args'>

export function reads(parts: InvokeParts, limits: TimeLimits) {
  async function readResource(uri: string, call: Caller): Promise<Outcome> {
    const match = matchResource(parts.inventory.resources, uri)
    if (!match) return refuse(NotFound({ what: 'resource', id: uri }), call.requestId)
    return guarded(call, { plugin: match.plugin, operation: `resource ${match.resource.uri}` }, async (scope) => {
      const contents = await match.resource.read(match.variables, parts.resolver(match.resource.uses)(scope) as never, scope)
      checkEmbedded(contents)
      return { contents }
    })
  }

  async function renderPrompt(call: Call): Promise<Outcome> {
    const known = parts.inventory.prompts.get(call.name)
    if (!known) return refuse(NotFound({ what: 'prompt', id: call.name }), call.requestId)
    return guarded(call, { plugin: known.plugin, operation: `prompt ${call.name}` }, async (scope) => {
      const args = (call.args ?? {}) as Record<string, string>
      for (const { name, required } of known.item.arguments) {
        if (required && typeof args[name] !== 'string') throw BadRequest({ field: name, message: `\`${name}\` is missing.` })
      }
      const messages = await known.item.render(args, parts.resolver(known.item.uses)(scope) as never, scope)
      checkContent(messages.flatMap(({ content }) => (content === undefined ? [] : [content])))
      return { description: known.item.description, messages }
    })
  }

  async function complete(call: Caller, { of, ref, argument, typed, others }: CompletionRequest): Promise<Outcome> {
    const found = of === 'prompt' ? parts.inventory.prompts.get(ref) : parts.inventory.resources.find(({ item }) => item.uri === ref)
    if (!found) return refuse(NotFound({ what: of, id: ref }), call.requestId)
    const offers = found.item.complete as Readonly<Record<string, Complete<object>>>
    const offer = Object.hasOwn(offers, argument) ? offers[argument] : undefined
    return guarded(call, { plugin: found.plugin, operation: `completion of ${ref}` }, async (scope) => {
      if (!offer) return { values: [] }
      return { values: await offer(typed, parts.resolver(found.item.uses)(scope), scope, others) }
    })
  }

  /** Rules around reads that are not tools: the capability `read`, and the same treatment of errors. */
  async function guarded(call: Caller, owner: Owner, work: (scope: CallScope) => Promise<object>): Promise<Outcome> {
    const scope = new CallScope(call, owner, parts)
    const startedAt = performance.now()
    let outcome: Outcome
    try {
      authorize(call.principal, { capability: 'read' }, owner.operation, parts)
      const result = await limits.inTime(parts.settings.callTimeoutMs, startedAt, scope, owner.operation, () => work(scope))
      outcome = { ok: true, status: 200, result }
    } catch (error) {
      outcome = refuse(caught(error, owner, COMMON, scope, parts.log), call.requestId)
    } finally {
      scope.end()
    }
    const decision = outcome.ok ? 'ok' : outcome.error.code
    await recordRun(parts, { scope, operation: owner.operation, decision, startedAt })
    return outcome
  }

  return { readResource, renderPrompt, complete }
}
