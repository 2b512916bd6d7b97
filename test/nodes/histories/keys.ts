import { faults } from '../../linearizable/checker.ts'
import { type KeyCall, keyModel } from '../../linearizable/models/keys.ts'
import type { Caller, Family } from './caller.ts'

const REPO = 'keyed'
/** Calls that use one key, at the same time and later. */
const USES = 4

/** Idempotency keys: each is used by several calls, at any gateways, and some of them get no answer. */
export function keyHistory(): Family {
  const calls: KeyCall[] = []
  let uses = 0

  return {
    async step(_worker, caller) {
      const key = `history-key-${Math.floor(uses++ / USES)}`
      await caller.record<KeyCall, { result: string }>(
        calls,
        { key },
        () => settled(key, caller),
        ({ status, json }) => (status === 200 ? { result: (json.task as { taskId: string }).taskId } : undefined),
      )
    },
    faults: () => [...faults(keyModel, calls), ...shared(calls)],
    events: () => ({ 'calls with a key': calls.filter(({ answer }) => answer).length }),
  }

  /** A call that meets its key in progress asks again; that refusal changes nothing. */
  async function settled(key: string, caller: Caller): ReturnType<Caller['tool']> {
    for (;;) {
      const reply = await caller.tool('tasks_create', { repo: REPO, title: key }, { 'idempotency-key': key })
      if (typeof reply === 'string' || reply.json.code !== 'IDEMPOTENCY_IN_PROGRESS') return reply
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Results that two keys have got. */
function shared(calls: readonly KeyCall[]): string[] {
  const keys = new Map<string, string>()
  return calls.flatMap(({ key, answer }) => {
    if (!answer) return []
    const other = keys.get(answer.result) ?? key
    keys.set(answer.result, key)
    return other === key ? [] : [`${other} and ${key} have one result, ${answer.result}`]
  })
}
