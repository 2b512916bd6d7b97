import {
  BadRequest,
  type CallRecord,
  type Complete,
  contentOf,
  type ErrorRecord,
  isToolError,
  NotFound,
  type Operation,
  type Route,
  type Tool,
  type ToolError,
} from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import type { Settings } from '@gateway/settings'
import { argumentsValidator, lazyValidator } from '@gateway/validation'
import { CallTimeout, Cancelled, errorRecord, InternalError, kernelErrors, Overloaded, UnknownTool } from '../errors.ts'
import type { Call, CompletionRequest, Inventory, Offered, Outcome } from '../gateway.ts'
import { type AuditEntry, type AuditTrail, RecordOwed, type Refusals } from '../ports/audit.ts'
import type { Admission } from './admission.ts'
import { authorize, CallScope, type Surroundings } from './context.ts'
import { argumentsDigest } from './digest.ts'
import { checkContent, checkEmbedded } from './embedded.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Resolver } from './resolve.ts'
import { matchResource } from './resources.ts'
import { namedFor, recordRun } from './run-records.ts'
import type { OwnTools } from './tenant-tools.ts'
import { TimeLimit, TimeLimits } from './time-limits.ts'
import { isPassedOn } from './toolbox.ts'

export interface InvokeParts extends Surroundings {
  readonly inventory: Inventory
  readonly resolver: (uses: Operation['uses']) => Resolver
  /** The tools of the caller’s tenant: asked where the gateway has none of a name. */
  readonly tenantTools: (scope: CallScope) => OwnTools | Promise<OwnTools>
  readonly audit: AuditTrail
  readonly refusals: Refusals
  readonly admission: Admission
  readonly rates: RateLimits
  readonly settings: Pick<Settings, 'callTimeoutMs'>
  /** Told of a call’s tenant before the call may write; what it returns is waited for. */
  readonly meet: (tenantId: string) => Promise<void> | undefined
  /** Told of every finished call; must not throw. */
  readonly observe: (call: CallRecord) => void
  /** Check results against output schemas: in tests, not while serving. */
  readonly checkOutputs: boolean
}

/** An operation with what is worked out once, at boot. */
interface Prepared {
  readonly owner: { readonly plugin: string; readonly operation: string }
  readonly operation: Operation
  readonly kind: CallRecord['kind']
  readonly validate: (args: unknown) => Record<string, unknown>
  readonly resolve: Resolver
  /** 0: none. */
  readonly timeoutMs: number
  readonly declared: ReadonlySet<string>
  readonly output: ReturnType<typeof lazyValidator>
}

export interface Invoker {
  /** From outside. */
  invoke(call: Call): Promise<Outcome>
  /** From inside: a call or a job makes it. */
  inner(call: Call): Promise<Outcome>
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
  const { admission } = parts
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
      kind: (item as Tool | Route).kind,
      validate,
      resolve: parts.resolver(item.uses),
      timeoutMs: item.timeoutMs ?? parts.settings.callTimeoutMs,
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

  const limits = new TimeLimits()
  const pace = new Pace()

  /** A call from outside: it has a place until its answer is out. */
  function admitted(call: Omit<Call, 'name' | 'args'>, work: () => Promise<Outcome>): Promise<Outcome> {
    const { tenantId } = call.principal
    const refusal = parts.rates.take(call.principal) ?? admission.enter(tenantId)
    if (refusal !== undefined) return Promise.resolve(refuse(refusal, call.requestId))
    const leave = (): void => admission.leave(tenantId)
    const ended = call.afterReply === undefined ? leave : (): void => call.afterReply?.(leave)
    const outcome = pace.begin(tenantId, work)
    outcome.then(ended, ended)
    return outcome
  }

  const leaveInner = (): void => admission.leaveInner()

  /** A call that a call or a job makes. */
  function inner(call: Call): Promise<Outcome> {
    if (!admission.enterInner()) {
      return Promise.resolve(refuse(Overloaded({ message: 'The gateway is stopping.', retryAfterSeconds: 5 }), call.requestId))
    }
    const outcome = invoke(call, true)
    outcome.then(leaveInner, leaveInner)
    return outcome
  }

  /** The work’s result, or CALL_TIMEOUT as soon as its time is over, whether or not the work listens. */
  function inTime<T>(ms: number, since: number, scope: CallScope, operation: string, work: () => Promise<T>): Promise<T> {
    if (ms === 0) return work()
    return new Promise((resolve, reject) => {
      const expired = (): void => {
        const timeout = CallTimeout({ operation, limitMs: ms })
        reject(timeout)
        scope.abort(timeout)
      }
      scope.limitTo(new TimeLimit(limits, ms, since, expired))
      work().then(resolve, reject)
    })
  }

  async function invoke(call: Call, inner = false): Promise<Outcome> {
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
      const { operation, timeoutMs } = known
      const result = await inTime(timeoutMs, started, scope, call.name, () =>
        operation.handle(valid as never, known.resolve(scope) as never, scope),
      )
      if (parts.checkOutputs) checkOutput(known, result)
      outcome = succeeded(known.operation.status, result as object)
    } catch (error) {
      outcome = refuse(caught(error, known, scope), call.requestId)
    }
    scope.end()
    const decision = outcome.ok ? 'ok' : outcome.error.code
    // What the handler itself had recorded by then is always written.
    if (decision === 'FORBIDDEN' && scope.audits === undefined ? isFirstRefusal(call, scope) : mayWrite || decision === 'FORBIDDEN') {
      try {
        digest ??= argumentsDigest(call.args)
        await parts.audit.append(call.principal.tenantId, auditEntries(call, scope, digest, decision))
      } catch (error) {
        parts.log.error({ ...known.owner, requestId: call.requestId, err: error }, 'the audit trail could not be written')
        // What was refused stays refused, for the reason it has. What was done is not called failed: its caller would do it twice.
        if (outcome.ok && !(error instanceof RecordOwed)) outcome = refuse(InternalError({}), call.requestId)
      }
    }
    const { name: tool, principal, args, via, requestId, traceparent } = call
    const durationMs = performance.now() - started
    const { kind } = known
    const { status } = outcome
    const { tenantId } = scope
    parts.observe({ tool, kind, tenantId, principal, args, via, inner, requestId, traceparent, outcome: decision, status, durationMs })
    return outcome
  }

  /** Whether the refusal is written; more of the caller’s within a minute are counted. */
  function isFirstRefusal(call: Call, scope: CallScope): boolean {
    const { tenantId, id, role } = call.principal
    const kind = JSON.stringify(['call', tenantId, id, role, call.name, call.via])
    return parts.refusals.isFirst(kind, tenantId, () => auditEntries(call, scope, argumentsDigest(call.args), 'FORBIDDEN')[0] as AuditEntry)
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
      origin: call.origin,
    }
    if (!scope.audits) return [entry]
    return [entry, ...namedFor(decision, scope.audits).map(({ name, details }) => ({ ...entry, name, ...(details && { details }) }))]
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
    const startedAt = performance.now()
    let outcome: Outcome
    try {
      authorize(call.principal, 'read', owner.operation, parts)
      const result = await inTime(parts.settings.callTimeoutMs, startedAt, scope, owner.operation, () => work(scope))
      outcome = { ok: true, status: 200, result }
    } catch (error) {
      outcome = refuse(caught(error, { owner, declared: new Set(COMMON) }, scope), call.requestId)
    } finally {
      scope.end()
    }
    const decision = outcome.ok ? 'ok' : outcome.error.code
    await recordRun(parts, { scope, operation: owner.operation, decision, startedAt })
    return outcome
  }

  return {
    invoke: (call) => admitted(call, () => invoke(call)),
    inner,
    readResource: (uri, call) => admitted(call, () => readResource(uri, call)),
    renderPrompt: (call) => admitted(call, () => renderPrompt(call)),
    complete: (call, asked) => admitted(call, () => complete(call, asked)),
    async drain() {
      await admission.drain()
      limits.close()
    },
  }
}

/** Content without a result is the result: programs must get what MCP clients see. */
function succeeded(status: number, result: object): Outcome {
  const content = contentOf(result)
  if (content === undefined) return { ok: true, status, result }
  checkContent(content)
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
