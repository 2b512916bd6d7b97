import type { Answer, Call, Given, Request } from '../../leases/history.ts'
import { faults } from '../../leases/linearizable.ts'
import type { Caller, Family, Reply } from './caller.ts'

const KEYS = Array.from({ length: 12 }, (_, n) => `lease-${n}`)
const SECONDS = 3_600

/** Keyed leases: taken, kept, given back, sometimes by force. */
export function leaseHistory(): Family {
  const calls: Call[] = []
  const held = new Map<string, Given>()

  async function step(worker: number, caller: Caller): Promise<void> {
    const key = caller.pick(KEYS)
    const holder = `host-${worker}/lane`
    const name = `${holder} ${key}`
    const request = next(caller, held.get(name))
    const answer = await caller.record<Call, Answer>(
      calls,
      { key, holder, request },
      () => caller.tool(`lease_${request.op}`, argumentsOf(key, holder, request)),
      answerOf,
    )
    if (answer?.ok && answer.lease) held.set(name, answer.lease)
    else if (answer !== undefined) held.delete(name)
  }

  return {
    step,
    faults: () => faults(calls),
    events: () => ({
      'leases taken': calls.filter(({ request, answer }) => request.op === 'acquire' && answer?.ok).length,
      'leases refused': calls.filter(({ request, answer }) => request.op === 'acquire' && answer?.ok === false).length,
      'leases given back': calls.filter(({ request, answer }) => request.op === 'release' && answer?.ok).length,
    }),
  }
}

function next({ random }: Caller, lease: Given | undefined): Request {
  const luck = random()
  if (!lease || luck < 0.2) return { op: 'acquire', seconds: SECONDS }
  if (luck < 0.5) return { op: 'heartbeat', epoch: lease.epoch, seconds: SECONDS }
  return { op: 'release', epoch: lease.epoch, force: luck < 0.6 }
}

function argumentsOf(key: string, holder: string, request: Request): object {
  if (request.op === 'release') return { key, holder, epoch: request.epoch, ...(request.force && { force: true }) }
  const epoch = request.op === 'heartbeat' ? { epoch: request.epoch } : {}
  return { key, holder, leaseSeconds: SECONDS, ...epoch }
}

interface LeaseReply {
  readonly acquired?: boolean
  readonly ok?: boolean
  readonly released?: boolean
  readonly heldBy?: string
  readonly leaseUntil?: string
  readonly tookOverFrom?: string
  readonly lease?: {
    readonly epoch: number
    readonly fence: number
    readonly acquiredAt: string
    readonly heartbeatAt: string
    readonly leaseUntil: string
  }
}

function answerOf({ status, json }: Reply): Answer | undefined {
  if (status !== 200) return undefined
  const { acquired, ok, released, heldBy, leaseUntil, tookOverFrom, lease } = json as LeaseReply
  if (!(acquired ?? ok ?? released)) {
    return { ok: false, ...(heldBy !== undefined && { heldBy }), ...(leaseUntil !== undefined && { until: Date.parse(leaseUntil) }) }
  }
  if (!lease) return { ok: true }
  const given = {
    epoch: lease.epoch,
    fence: lease.fence,
    acquiredAt: Date.parse(lease.acquiredAt),
    at: Date.parse(lease.heartbeatAt),
    until: Date.parse(lease.leaseUntil),
  }
  return { ok: true, lease: given, ...(tookOverFrom !== undefined && { tookOverFrom }) }
}
