import { DAY_SECONDS } from '@gateway/sdk'
import { faults } from '../../linearizable/checker.ts'
import { type SlotAnswer, type SlotCall, slotModel } from '../../linearizable/models/slots.ts'
import type { Caller, Family } from './caller.ts'

const SLOTS = 3

/** Slots of runner sessions: taken, asked for again, and given back. */
export function slotHistory(): Family {
  const calls: SlotCall[] = []
  const held = new Map<string, number>()

  async function acquire(holder: string, caller: Caller): Promise<void> {
    const answer = await caller.record<SlotCall, SlotAnswer>(
      calls,
      { key: 'pool', holder, request: { op: 'acquire' } },
      () => caller.tool('runner_lease_acquire', { holder, slots: SLOTS, leaseSeconds: DAY_SECONDS }),
      ({ status, json }) => {
        if (status !== 200) return undefined
        return json.acquired ? { ok: true, slot: (json.lease as { slot: number }).slot } : { ok: false }
      },
    )
    if (answer?.ok && answer.slot !== undefined) held.set(holder, answer.slot)
    else if (answer !== undefined) held.delete(holder)
  }

  async function release(holder: string, slot: number, caller: Caller): Promise<void> {
    const answer = await caller.record<SlotCall, SlotAnswer>(
      calls,
      { key: 'pool', holder, request: { op: 'release', slot } },
      () => caller.tool('runner_lease_release', { holder, slot }),
      ({ status, json }) => (status === 200 ? { ok: json.released === true } : undefined),
    )
    if (answer !== undefined) held.delete(holder)
  }

  return {
    step(worker, caller) {
      const holder = `session-${worker}`
      const slot = held.get(holder)
      return slot === undefined || caller.random() < 0.1 ? acquire(holder, caller) : release(holder, slot, caller)
    },
    faults: () => faults(slotModel(SLOTS), calls),
    events: () => ({
      'slots taken': calls.filter(({ request, answer }) => request.op === 'acquire' && answer?.ok).length,
      'slots refused': calls.filter(({ request, answer }) => request.op === 'acquire' && answer?.ok === false).length,
    }),
  }
}
