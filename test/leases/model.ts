import type { Answer, Call, Given } from './history.ts'

/** The known state of one key. The effect of a call without an answer is unknown until an answer shows it. */
export interface State {
  /** Lower bound of the store's time. */
  readonly now: number
  /** The highest fence seen so far. */
  readonly fence: number
  readonly lease?: {
    readonly holder: string
    readonly epoch: number
    readonly fence?: number
    readonly until?: number
  }
}
export const free: State = { now: 0, fence: 0 }

type Held = NonNullable<State['lease']>

/**
 * The lease specification, one call at a time: returns the state after `call` is executed in `state`, for each possible
 * outcome; empty when the answer it got is impossible there.
 */
export function executeOrder(state: State, call: Call): readonly State[] {
  const { answer } = call
  switch (call.request.op) {
    case 'acquire':
      if (!answer) return unansweredAcquire(state, call.holder)
      return answer.ok ? acquired(state, call, call.request.seconds, answer) : stays(state, refusedAcquire(state, call.holder, answer))
    case 'heartbeat': {
      const own = isOwn(state.lease, call.holder, call.request.epoch) ? state.lease : undefined
      if (!answer) return own ? [{ ...state, lease: withoutTerm(own) }] : []
      if (!answer.ok) return stays(state, !own && answer.heldBy === state.lease?.holder)
      return own && answer.lease ? extended(state, own, answer.lease, call.request.seconds) : []
    }
    case 'release': {
      const { epoch, force } = call.request
      const matches = force ? state.lease?.epoch === epoch : isOwn(state.lease, call.holder, epoch)
      if (answer?.ok === false) return stays(state, !matches)
      return matches ? [{ now: state.now, fence: state.fence }] : []
    }
    case 'write':
      if (!answer) return [state]
      return stays(
        state,
        answer.ok ? mayWrite(state, call, call.request.fence, answer.at ?? 0) : mayRefuse(state, call.request.fence, answer.heldBy),
      )
  }
}

/** True if an answer shows the state and does not change it. */
export function onlyReads({ request, answer }: Call): boolean {
  return request.op === 'write' || answer?.ok === false
}

const stays = (state: State, possible: boolean): readonly State[] => (possible ? [state] : [])
const isOwn = (lease: Held | undefined, holder: string, epoch: number): boolean => lease?.holder === holder && lease.epoch === epoch
const withoutTerm = ({ until: _until, ...lease }: Held): Held => lease

function acquired(state: State, { holder }: Call, seconds: number, { lease, tookOverFrom }: Answer & { ok: true }): readonly State[] {
  const { lease: before } = state
  if (!lease) return []
  const inForce = before !== undefined && (before.until === undefined || before.until > lease.at)
  const states: State[] = []
  if (inForce && before.holder === holder && tookOverFrom === undefined) states.push(...extended(state, before, lease, seconds))
  const isFree = before === undefined || before.until === undefined || before.until <= lease.at
  const isNext =
    lease.epoch === (before?.epoch ?? 0) + 1 &&
    lease.fence > state.fence &&
    lease.fence > (before?.fence ?? 0) &&
    tookOverFrom === before?.holder
  if (isFree && isNext && lease.acquiredAt === lease.at) states.push(...given(state, holder, lease, seconds))
  return states
}

/** Extends the same lease: never another epoch, never another fence. */
function extended(state: State, before: Held, lease: Given, seconds: number): readonly State[] {
  const same = lease.epoch === before.epoch && (before.fence === undefined ? lease.fence > state.fence : lease.fence === before.fence)
  return same ? given(state, before.holder, lease, seconds) : []
}

function given(state: State, holder: string, { at, epoch, fence, until }: Given, seconds: number): readonly State[] {
  if (at < state.now || until !== at + seconds * 1000) return []
  return [{ now: at, fence: Math.max(state.fence, fence), lease: { holder, epoch, fence, until } }]
}

function refusedAcquire({ lease, now }: State, holder: string, { heldBy, until = 0 }: Answer & { ok: false }): boolean {
  return lease !== undefined && lease.holder === heldBy && heldBy !== holder && until > now && (lease.until ?? until) === until
}

function unansweredAcquire({ now, fence, lease }: State, holder: string): readonly State[] {
  const again: State[] = lease?.holder === holder ? [{ now, fence, lease: withoutTerm(lease) }] : []
  const since = Math.max(now, lease?.until ?? 0)
  const known = Math.max(fence, lease?.fence ?? 0)
  return [...again, { now: since, fence: known, lease: { holder, epoch: (lease?.epoch ?? 0) + 1 } }]
}

function mayWrite({ lease, now, fence: highest }: State, { holder }: Call, fence: number, at: number): boolean {
  if (lease?.holder !== holder || at < now || at >= (lease.until ?? Number.POSITIVE_INFINITY)) return false
  return lease.fence === undefined ? fence > highest : fence === lease.fence
}

/** A lease with this very fence may have expired by then. */
function mayRefuse({ lease }: State, fence: number, heldBy: string | undefined): boolean {
  return heldBy === undefined || (lease?.holder === heldBy && lease.fence !== fence)
}
