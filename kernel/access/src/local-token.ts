import type { Clock, SecretHasher } from '@gateway/kernel'
import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { isSameText } from '@gateway/sdk/secrets'
import { KERNEL_TENANT, type Store } from '@gateway/storage'

/**
 * Keyed hashes of the local token. The token is configured in `GATEWAY_LOCAL_TOKEN`. A start with another value is a
 * rotation: the previous value stays valid for the grace window, so that callers can switch one by one.
 */
const schema = Type.Object(
  {
    id: Type.String(),
    current: Type.String(),
    previous: Type.Optional(Type.String()),
    previousUntil: Type.Optional(Type.String()),
  },
  closed,
)
type LocalTokenRecord = Infer<typeof schema>
export const localTokens = defineCollection('gateway.local-token', { schema, key: 'id' })

export interface LocalToken {
  /** Compares in constant time with the current value and, within its grace window, the previous one. */
  matches(token: string): boolean
}

export async function openLocalToken(
  token: string | undefined,
  { store, hasher, clock, graceMinutes }: { store: Store; hasher: SecretHasher; clock: Clock; graceMinutes: number },
): Promise<LocalToken> {
  if (token === undefined) return { matches: () => false }
  const records = store.collection<LocalTokenRecord>(localTokens, KERNEL_TENANT)
  const id = 'local'
  const current = hasher.hash(token)
  // Several gateways may start on an empty store at once: the one that comes second finds the record of the first.
  let record = (await records.get(id)) ?? (await records.upsert({ id, current }, {}))
  if (record.current !== current) {
    const previousUntil = new Date(clock.now() + graceMinutes * 60_000).toISOString()
    const rotated = { current, previous: record.current, previousUntil }
    record = { id, ...rotated }
    await records.updateOne(id, { set: rotated })
  }
  const graceUntil = record.previousUntil === undefined ? 0 : Date.parse(record.previousUntil)
  return {
    matches(candidate) {
      const hash = hasher.hash(candidate)
      // Both values are compared in any case, so that the duration reveals nothing.
      const isCurrent = isSameText(hash, record.current)
      const isPrevious = record.previous !== undefined && isSameText(hash, record.previous)
      return isCurrent || (isPrevious && graceUntil > clock.now())
    },
  }
}
