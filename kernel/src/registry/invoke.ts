import { BadRequest, type Complete, contentOf, type ErrorRecord, isToolError, NotFound, type Operation, type ToolError } from '@gateway/sdk'
import { Cancelled, errorRecord, InternalError, kernelErrors, Overloaded, UnknownTool } from '../errors.ts'
import { type AuditEntry, type AuditTrail, RecordOwed } from '../events/audit.ts'
import type { Call, CompletionRequest, Inventory, Offered, Outcome } from '../gateway.ts'
import { authorize, CallScope, type Surroundings } from './context.ts'
import { argumentsDigest } from './digest.ts'
import type { Resolver } from './resolve.ts'
import { matchResource } from './resources.ts'
import type { OwnTools } from './tenant-tools.ts'
import { isPassedOn } from './toolbox.ts'
import { argumentsValidator, lazyValidator } from './validate.ts'

export interface InvokeParts extends Surroundings {
  readonly inventory: Inventory
  readonly resolver: (uses: Operation['uses']) => Resolver
  /** The tools of the caller’s tenant: asked where the gateway has none of a name. */
  readonly tenantTools: (scope: CallScope) => OwnTools | Promise<OwnTools>
  readonly audit: AuditTrail
  /** Told of a call’s tenant before the call may write; what it returns is waited for. */
  readonly meet: (tenantId: string) => Promise<void> | undefined
  /** Told of every finished call; must not throw. */
  readonly observe: (call: { tool: string; tenantId: string; via: string; outcome: string; durationMs: number }) => void
  /** Check results against output schemas: in tests, not while serving. */
  readonly checkOutputs: boolean
}

/** An operation with what is worked out once, at boot. */
interface Prepared {
  readonly owner: { readonly plugin: string; readonly operation: string }
  readonly operation: Operation
  readonly validate: (args: unknown) => Record<string, unknown>
  readonly resolve: Resolver
  readonly declared: ReadonlySet<string>
  readonly output: ReturnType<typeof lazyValidator>
}

export interface Invoker {
  invoke(call: Call): Promise<Outcome>
  readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome>
  renderPrompt(call: Call): Promise<Outcome>
  complete(call: Omit<Call, 'name' | 'args'>, asked: CompletionRequest): Promise<Outcome>
  /** Refuse new calls; resolves when the running ones have ended. */
  drain(): Promise<void>
}

const COMMON = kernelErrors.map((error) => error.code)

/**
 * The one path of every call, whatever its face:
 * name (the gateway’s tools, then the tenant’s own) → authorize → drop `tenantId`, validate, default → resolve → handle → map errors → audit → meter.
 */
export function invoker(parts: InvokeParts): Invoker {
  const prepared = new Map<string, Prepared>()
  for (const offered of [...parts.inventory.tools.values(), ...parts.inventory.routes.values()] as Offered<Operation>[]) {
    prepared.set(offered.item.name, prepare(offered, argumentsValidator(offered.item.input)))
  }
  /** Lives as long as the list that has the tool. */
  const preparedOwn = new WeakMap<Offered<Operation>, Prepared>()

  function prepare({ plugin, item }: Offered<Operation>, validate: Prepared['validate']): Prepared {
    return {
      owner: { plugin, operation: item.name },
      operation: item,
      validate,
      resolve: parts.resolver(item.uses),
      declared: new Set([...COMMON, ...item.errors.map((error) => error.code)]),
      output: lazyValidator(item.output),
    }
  }

  async function findOwn(call: Call): Promise<Prepared | undefined> {
    const own = await parts.tenantTools(new CallScope(call, { plugin: 'kernel', operation: call.name }, parts))
    const found = own.find(({ item }) => item.name === call.name)
    if (!found) return undefined
    let known = preparedOwn.get(found)
    if (!known) preparedOwn.set(found, (known = prepare(found, found.validate)))
    return known
  }

  let running = 0
  let stopping = false
  let idle: (() => void) | undefined

  /** Keeps count of running calls, so that a stop can wait for them. */
  function counted(work: () => Promise<Outcome>, requestId: string): Promise<Outcome> {
    if (stopping) return Promise.resolve(refuse(Overloaded({ message: 'The gateway is stopping.', retryAfterSeconds: 5 }), requestId))
    running++
    const outcome = work()
    outcome.then(ended, ended)
    return outcome
  }

  function ended(): void {
    running--
    if (running === 0) idle?.()
  }

  async function invoke(call: Call): Promise<Outcome> {
    const known = prepared.get(call.name) ?? (await findOwn(call))
    if (!known) return refuse(UnknownTool({ name: call.name }), call.requestId)
    const started = performance.now()
    const scope = new CallScope(call, known.owner, parts)
    const mayWrite = known.operation.effect !== 'read'
    let digest: string | undefined
    let outcome: Outcome
    try {
      authorize(call.principal, known.operation.capability, call.name, parts)
      const valid = known.validate(call.args)
      if (mayWrite) {
        // Before anything is written: arguments of a caller in this process that cannot be digested would leave a write without a record.
        digest = argumentsDigest(valid)
        // A read leaves nothing that a job could work on.
        const met = parts.meet(call.principal.tenantId)
        if (met) await met
        const settled = parts.audit.settle(call.principal.tenantId)
        if (settled) await settled
      }
      const result = await known.operation.handle(valid as never, known.resolve(scope) as never, scope)
      if (parts.checkOutputs) checkOutput(known, result)
      outcome = succeeded(known.operation.status, result as object)
    } catch (error) {
      outcome = refuse(caught(error, known, scope), call.requestId)
    }
    const decision = outcome.ok ? 'ok' : outcome.error.code
    if (mayWrite || decision === 'FORBIDDEN') {
      try {
        digest ??= argumentsDigest(call.args)
        await parts.audit.append(call.principal.tenantId, auditEntries(call, scope, digest, decision))
      } catch (error) {
        parts.log.error({ ...known.owner, requestId: call.requestId, err: error }, 'the audit trail could not be written')
        // What was refused stays refused, for the reason it has. What was done is not called failed: its caller would do it twice.
        if (outcome.ok && !(error instanceof RecordOwed)) outcome = refuse(InternalError({}), call.requestId)
      }
    }
    parts.observe({ tool: call.name, tenantId: scope.tenantId, via: call.via, outcome: decision, durationMs: performance.now() - started })
    return outcome
  }

  function auditEntries(call: Call, scope: CallScope, argsDigest: string, decision: string): AuditEntry[] {
    const entry = {
      at: parts.clock.now(),
      principal: call.principal,
      name: 'tool.call',
      tool: call.name,
      argsDigest,
      decision,
      requestId: call.requestId,
      via: call.via,
    }
    if (!scope.audits) return [entry]
    const named = decision === 'ok' ? scope.audits : scope.audits.filter(({ always }) => always)
    return [entry, ...named.map(({ name, details }) => ({ ...entry, name, ...(details && { details }) }))]
  }

  /**
   * A declared error reaches the caller. A handler that ended because it was told to is no fault of its plugin. Anything
   * else is logged with its owner and becomes INTERNAL_ERROR.
   */
  function caught(error: unknown, { owner, declared }: Pick<Prepared, 'owner' | 'declared'>, scope: CallScope): ToolError {
    if (isToolError(error) && (declared.has(error.code) || isPassedOn(error))) return error
    if (isStop(error, scope.signal)) return Cancelled({ why: (scope.signal.reason as Error).message })
    parts.log.error(
      { ...owner, tenantId: scope.tenantId, requestId: scope.requestId, err: error },
      'a call failed with an undeclared error',
    )
    return InternalError({})
  }

  async function readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome> {
    const match = matchResource(parts.inventory.resources, uri)
    if (!match) return refuse(NotFound({ what: 'resource', id: uri }), call.requestId)
    return guarded(call, { plugin: match.plugin, operation: `resource ${match.resource.uri}` }, async (scope) => {
      const contents = await match.resource.read(match.variables, parts.resolver(match.resource.uses)(scope) as never, scope)
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
      return { description: known.item.description, messages }
    })
  }

  async function complete(call: Omit<Call, 'name' | 'args'>, { of, ref, argument, typed, others }: CompletionRequest): Promise<Outcome> {
    const found = of === 'prompt' ? parts.inventory.prompts.get(ref) : parts.inventory.resources.find(({ item }) => item.uri === ref)
    if (!found) return refuse(NotFound({ what: of, id: ref }), call.requestId)
    const offers = found.item.complete as Readonly<Record<string, Complete<object>>>
    const offer = Object.hasOwn(offers, argument) ? offers[argument] : undefined
    return guarded(call, { plugin: found.plugin, operation: `completion of ${ref}` }, async (scope) => {
      if (!offer) return { values: [] }
      return { values: await offer(typed, parts.resolver(found.item.uses)(scope), scope, others) }
    })
  }

  /** The rules around reads that are no tools: the capability `read`, and the same treatment of errors. */
  async function guarded(
    call: Omit<Call, 'name' | 'args'>,
    owner: { plugin: string; operation: string },
    work: (scope: CallScope) => Promise<object>,
  ): Promise<Outcome> {
    const scope = new CallScope(call, owner, parts)
    try {
      authorize(call.principal, 'read', owner.operation, parts)
      return { ok: true, status: 200, result: await work(scope) }
    } catch (error) {
      return refuse(caught(error, { owner, declared: new Set(COMMON) }, scope), call.requestId)
    }
  }

  return {
    invoke: (call) => counted(() => invoke(call), call.requestId),
    readResource: (uri, call) => counted(() => readResource(uri, call), call.requestId),
    renderPrompt: (call) => counted(() => renderPrompt(call), call.requestId),
    complete: (call, asked) => counted(() => complete(call, asked), call.requestId),
    async drain() {
      stopping = true
      if (running > 0) await new Promise<void>((resolve) => (idle = resolve))
    },
  }
}

/** Content without a result is the result: programs must get what MCP clients see. */
function succeeded(status: number, result: object): Outcome {
  const content = contentOf(result)
  if (content === undefined) return { ok: true, status, result }
  return { ok: true, status, result: Object.keys(result).length === 0 ? { content } : result, content }
}

function refuse(error: ToolError, requestId: string): { ok: false; status: number; error: ErrorRecord } {
  return { ok: false, status: error.status, error: errorRecord(error, requestId) }
}

/** Node’s own functions throw an AbortError of theirs, others the reason itself. */
function isStop(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error as { name?: unknown } | null)?.name === 'AbortError')
}

function checkOutput({ output, owner }: Prepared, result: unknown): void {
  // Through JSON first: what a caller receives has no undefined members and no dates.
  const fault = output(JSON.parse(JSON.stringify(result)))
  if (fault) throw new Error(`${owner.operation} answered against its output schema: ${fault.instancePath || 'result'} ${fault.message}`)
}
