import type { CallRecord, Operation, Route, Tool } from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import { type CallCommit, CallKeys, effectsBeyondCommit, LONG_TEXTS } from '@gateway/storage'
import {
  argumentsDigest,
  argumentsValidator,
  idempotencyKeyIn,
  outputCheck,
  subjectOf,
  validateConfined,
  validateLeniently,
} from '@gateway/validation'
import { InternalError, Overloaded, UnknownTool } from '../errors.ts'
import type { Call, CompletionRequest, Offered, Outcome } from '../gateway.ts'
import { type AuditEntry, UnwrittenRecordError } from '../ports/audit.ts'
import { authorize, CallScope } from './context.ts'
import type { InvokeParts } from './invoke-parts.ts'
import { COMMON, caught, refuse, succeeded } from './outcome.ts'
import type { Owner } from './owner.ts'
import { reads } from './reads.ts'
import type { Resolver } from './resolve.ts'
import { namedFor } from './run-records.ts'
import { TimeLimits } from './time-limits.ts'

/** An operation with everything that is computed once at boot. */
interface Prepared {
  readonly owner: Owner
  readonly operation: Operation
  readonly kind: CallRecord['kind']
  readonly validate: (args: unknown) => Record<string, unknown>
  readonly check: Tool['check']
  readonly resolve: Resolver
  /** Milliseconds; 0 means no limit. */
  readonly timeoutMs: number
  readonly declared: ReadonlySet<string>
  /** An idempotency key is reserved before the call, since its effects are more than one commit. */
  readonly reservesKey: boolean
  readonly checkOutput: ReturnType<typeof outputCheck>
}

export interface Invoker {
  invoke(call: Call): Promise<Outcome>
  inner(call: Call): Promise<Outcome>
  readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome>
  renderPrompt(call: Call): Promise<Outcome>
  complete(call: Omit<Call, 'name' | 'args'>, asked: CompletionRequest): Promise<Outcome>
  drain(): Promise<void>
}

/**
 * The single call path, whatever the transport: name (the gateway's tools, then the tenant's own) → authorize → drop `tenantId`, validate,
 * default → resolve → handle → map errors → audit → meter.
 */
export function invoker(parts: InvokeParts): Invoker {
  const { admission } = parts
  const keys = new CallKeys(parts.store)
  const reservesKey = effectsBeyondCommit(parts.inventory.plugins)
  const prepared = new Map<string, Prepared>()
  for (const offered of [...parts.inventory.tools.values(), ...parts.inventory.routes.values()] as Offered<Operation>[]) {
    prepared.set(offered.item.name, prepare(offered, argumentsValidator(offered.item.input)))
  }
  /** An entry lives as long as the list that holds the tool. */
  const preparedOwn = new WeakMap<Offered<Operation>, Prepared>()

  function prepare({ plugin, item }: Offered<Operation>, validate: Prepared['validate']): Prepared {
    return {
      owner: { plugin, operation: item.name, forwards: (item as Tool).forwardsTo !== undefined },
      operation: item,
      kind: (item as Tool | Route).kind,
      validate,
      check: (item as Tool).check,
      resolve: parts.resolver(item.uses),
      timeoutMs: item.timeoutMs ?? parts.settings.callTimeoutMs,
      declared: new Set([...COMMON, ...item.errors.map((error) => error.code)]),
      reservesKey: reservesKey(item),
      checkOutput: outputCheck(item.output, {
        isStrict: parts.checkOutputs,
        report: (fault) => parts.log.warn({ plugin, operation: item.name, fault }, 'a result does not fit its output schema'),
      }),
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
  const { readResource, renderPrompt, complete } = reads(parts, limits)

  /** Runs a call from outside, which holds a permit until its answer is sent. */
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

  function inner(call: Call): Promise<Outcome> {
    if (!admission.enterInner()) {
      return Promise.resolve(refuse(Overloaded({ message: 'The gateway is stopping.', retryAfterSeconds: 5 }), call.requestId))
    }
    const outcome = invoke(call, true)
    outcome.then(leaveInner, leaveInner)
    return outcome
  }

  async function invoke(call: Call, inner = false): Promise<Outcome> {
    const known = prepared.get(call.name) ?? (await findOwn(call))
    if (!known) return refuse(UnknownTool({ name: call.name }), call.requestId)
    const started = performance.now()
    const open = (commit?: CallCommit): CallScope => {
      const opened = new CallScope(call, known.owner, parts, commit)
      if (!inner) opened.admission = admission
      return opened
    }
    let scope = open()
    const mayWrite = known.operation.effect !== 'read'
    let digest: string | undefined
    let outcome: Outcome
    try {
      authorize(call.principal, known.operation, call.name, parts)
      const { input } = known.operation
      const { confinedTo: confinement } = call.principal
      const valid =
        confinement === undefined
          ? validateLeniently(known.validate, input, call.args)
          : validateConfined(known.validate, input, { confinement, name: call.name }, call.args)
      const attempt = async (args: object, commit?: CallCommit): Promise<Outcome> => {
        if (commit !== undefined || scope.commit !== undefined) {
          scope.end()
          scope = open(commit)
        }
        const ended = await run(known, scope, started, (uses) => {
          known.check?.(args as never, scope)
          return known.operation.handle(args as never, uses, scope)
        })
        return !ended.ok && scope.isUnchanged ? { ...ended, unchanged: true } : ended
      }
      if (mayWrite) {
        // The digest is computed before anything is written: arguments of an in-process caller that cannot be digested would leave a write
        // without a record.
        const { key, args } = idempotencyKeyIn(known.operation, valid, call.idempotencyKey)
        digest = argumentsDigest(args)
        // A read leaves nothing that a job could work on, so it need not register its tenant.
        const met = parts.ensureKnown(call.principal.tenantId)
        if (met) await met
        const settled = parts.audit.settle(call.principal.tenantId)
        if (settled) await settled
        const { tenantId, id: caller } = call.principal
        const keyedCall = { tenantId, caller, tool: call.name, digest, key: key ?? '', output: known.operation.output }
        // The handler of a tenant's own tool gets every argument that its schema declares.
        const handed = prepared.has(call.name) ? args : valid
        if (key === undefined) outcome = await attempt(handed)
        else {
          outcome = await keys.once(keyedCall, known.reservesKey, (commit) => attempt(handed, commit))
          outcome = await completed(known, outcome, scope, started)
        }
      } else outcome = await attempt(valid)
    } catch (error) {
      outcome = refuse(caught(error, known.owner, known.declared, scope, parts.log), call.requestId)
    }
    scope.end()
    if (scope.replay) outcome = { ...outcome, ...scope.replay }
    const decision = outcome.ok ? 'ok' : outcome.error.code
    // Records that the handler asked for before it failed are always written.
    if (decision === 'FORBIDDEN' && scope.audits === undefined ? isFirstRefusal(call, scope) : owesRecord(scope, mayWrite, decision)) {
      try {
        digest ??= argumentsDigest(call.args)
        await parts.audit.append(call.principal.tenantId, auditEntries(call, scope, digest, outcome.replayed ? 'replayed' : decision))
      } catch (error) {
        parts.log.error({ ...known.owner, requestId: call.requestId, err: error }, 'the audit trail could not be written')
        // A refused call stays refused for its own reason. A completed call is not reported as failed, because its caller would repeat it.
        if (outcome.ok && !(error instanceof UnwrittenRecordError)) outcome = refuse(InternalError({}), call.requestId)
      }
    }
    const { name: tool, principal, args, via, requestId, traceparent } = call
    const durationMs = performance.now() - started - scope.waitedMs
    const { kind } = known
    const { status } = outcome
    const { tenantId } = scope
    parts.observe({ tool, kind, tenantId, principal, args, via, inner, requestId, traceparent, outcome: decision, status, durationMs })
    return outcome
  }

  /** Lets the tool restore the long texts of a replay that was kept without them. */
  async function completed(known: Prepared, outcome: Outcome, scope: CallScope, started: number): Promise<Outcome> {
    const { completeReplay } = known.operation as Tool
    const { omitted = [] } = outcome
    if (completeReplay === undefined || !outcome.ok || !omitted.includes(LONG_TEXTS)) return outcome
    const { result: kept } = outcome
    let isWhole = false
    const replay = await run(known, scope, started, async (uses) => {
      const whole = await completeReplay(kept as never, uses, scope)
      isWhole = whole !== undefined
      return whole ?? kept
    })
    const left = isWhole ? omitted.filter((one) => one !== LONG_TEXTS) : omitted
    return { ...replay, replayed: true, ...(left.length > 0 && { omitted: left }) }
  }

  /** Runs the handler within its time. Never rejects. */
  async function run(known: Prepared, scope: CallScope, started: number, handle: (uses: never) => Promise<unknown>): Promise<Outcome> {
    const { operation, timeoutMs } = known
    try {
      // A handler in JavaScript may return its result without a promise.
      const work = async (): Promise<unknown> => handle(known.resolve(scope) as never)
      const result = await limits.inTime(timeoutMs, started, scope, operation.name, work)
      known.checkOutput(result)
      return succeeded(operation.status, result as object)
    } catch (error) {
      return refuse(caught(error, known.owner, known.declared, scope, parts.log), scope.requestId)
    }
  }

  const owesRecord = (scope: CallScope, mayWrite: boolean, decision: string): boolean =>
    (mayWrite && !(scope.isUnchanged && scope.audits === undefined)) || decision === 'FORBIDDEN'

  /** True if the refusal is written; further ones of the caller within a minute are counted. */
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
      subject: subjectOf(prepared.get(call.name)?.operation, call.args),
      decision,
      requestId: call.requestId,
      via: call.via,
      origin: call.origin,
    }
    if (!scope.audits) return [entry]
    return [entry, ...namedFor(decision, scope.audits).map(({ name, details }) => ({ ...entry, name, ...(details && { details }) }))]
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
