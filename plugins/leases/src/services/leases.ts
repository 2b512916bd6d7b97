import { type CallContext, defined, principalName, provide, type Resolved, type Transaction } from '@gateway/sdk'
import {
  type Acquired,
  type AcquireRequest,
  type HeartbeatRequest,
  type Kept,
  type Lease,
  type Leases,
  leaseService,
  type ReleaseRequest,
  StaleFence,
} from '../api.ts'
import { fences, leases } from '../collections.ts'
import { acquisitions } from '../metrics.ts'
import { fenceCounter } from '../rules/fence-counter.ts'
import { shown } from '../rules/shown.ts'
import { isStale, term } from '../rules/terms.ts'

const uses = { leases, fences, acquisitions }

export const leaseProvider = provide(leaseService, { uses, create: createLeases })

function createLeases({ leases, fences, acquisitions }: Resolved<typeof uses>, { principal }: CallContext): Leases {
  return { acquire, heartbeat, release, held, guard }

  async function acquire(request: AcquireRequest, tx: Transaction): Promise<Acquired> {
    const found = await take(request, tx)
    const result = !found.acquired ? 'refused' : found.tookOverFrom === undefined ? 'acquired' : 'taken_over'
    tx.afterCommit(() => acquisitions.add(1, result))
    return found
  }

  async function take({ key, leaseSeconds, meta, ...claim }: AcquireRequest, tx: Transaction): Promise<Acquired> {
    const before = await leases.in(tx).get(key)
    if (before && !isStale(before, tx.now)) {
      // A holder whose answer was lost learns of its lease by asking again.
      const again = await leases.in(tx).updateOne(key, { set: { ...extension(claim, leaseSeconds, tx), meta } }, isOf(claim))
      return again ? { acquired: true, lease: shown(again) } : { acquired: false, heldBy: before.holder, leaseUntil: before.leaseUntil }
    }
    await leases.in(tx).deleteOne(key)
    const lease = await leases.in(tx).insert({
      key,
      holder: claim.holder,
      holderId: principal.id,
      holderPrincipal: principalName(principal),
      epoch: (before?.epoch ?? 0) + 1,
      fence: await nextFence(key, tx),
      acquiredAt: tx.now.toISOString(),
      ...term(leaseSeconds, tx.now),
      ...(meta && { meta }),
    })
    return { acquired: true, lease: shown(lease), ...(before && { tookOverFrom: before.holder }) }
  }

  async function heartbeat({ key, epoch, leaseSeconds, ...claim }: HeartbeatRequest, tx: Transaction): Promise<Kept> {
    const lease = await leases.in(tx).updateOne(key, { set: extension(claim, leaseSeconds, tx) }, { ...isOf(claim), epoch })
    if (lease) return { ok: true, lease: shown(lease) }
    const other = await leases.in(tx).get(key)
    return { ok: false, ...(other && { heldBy: other.holder }) }
  }

  async function release({ key, epoch, force = false, ...claim }: ReleaseRequest, tx: Transaction): Promise<Lease | undefined> {
    const released = await leases.in(tx).deleteOne(key, force ? { epoch } : { ...isOf(claim), epoch })
    return released && shown(released)
  }

  async function held(key: string, tx: Transaction): Promise<Lease | undefined> {
    const lease = await leases.in(tx).get(key)
    return lease && !isStale(lease, tx.now) ? shown(lease) : undefined
  }

  async function guard({ key, fence }: { key: string; fence: number }, tx: Transaction): Promise<Lease> {
    const lease = await held(key, tx)
    if (lease?.fence !== fence) throw StaleFence({ key, fence, ...(lease && { heldBy: lease.holder }) })
    // Changes nothing, and makes a takeover at another node conflict with this transaction: MongoDB would let both commit.
    await leases.in(tx).updateOne(key, { set: { fence } })
    return lease
  }

  async function nextFence(key: string, tx: Transaction): Promise<number> {
    const counter = fenceCounter(key)
    return (await fences.in(tx).upsert({ counter, last: 1 }, { inc: { last: 1 } })).last
  }
}

type Claim = Pick<AcquireRequest, 'holder' | 'holderId'>

/**
 * Conditions under which a lease belongs to a claim. A lease of a version that kept no key belongs to the first key of this name that
 * extends it.
 */
const isOf = ({ holder, holderId }: Claim) => ({ holder, ...(holderId !== undefined && { holderId: { in: [holderId, null] } }) })

const extension = ({ holderId }: Claim, leaseSeconds: number | undefined, { now }: Transaction) => ({
  ...term(leaseSeconds, now),
  ...defined({ holderId }),
})
