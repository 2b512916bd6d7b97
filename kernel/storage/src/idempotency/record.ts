import { hash } from 'node:crypto'
import { defineCollection, type Infer, Type } from '@gateway/sdk'

/** Time for which the first answer is kept. */
const KEPT_SECONDS = 86_400

const schema = Type.Object({
  /** Hash of caller, tool and key: a caller never meets the keys of another. */
  keyId: Type.String(),
  caller: Type.String(),
  tool: Type.String(),
  digest: Type.String(),
  at: Type.String(),
  /** Process that runs the call; absent once there is an answer. */
  process: Type.Optional(Type.String()),
  /** End of the reservation unless its process renews it. */
  until: Type.Optional(Type.String()),
  /** JSON, which costs the store less than its members would; an object in records of an earlier version. */
  answer: Type.Optional(Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })])),
})
export type KeyRecord = Infer<typeof schema>

/** Idempotency keys of a tenant's callers with their first answers. */
export const callKeys = defineCollection('gateway.call-keys', {
  schema,
  key: 'keyId',
  indexes: [{ keys: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
})

export interface KeyedCall {
  readonly tenantId: string
  readonly caller: string
  readonly tool: string
  readonly key: string
  /** Digest of the canonical arguments. */
  readonly digest: string
  /** Schema of the answer. */
  readonly output: object
}

export const keyIdOf = ({ caller, tool, key }: KeyedCall): string => hash('sha256', JSON.stringify([caller, tool, key]), 'base64url')

export const isExpired = ({ at }: KeyRecord, nowMs: number): boolean => Date.parse(at) + KEPT_SECONDS * 1_000 <= nowMs
