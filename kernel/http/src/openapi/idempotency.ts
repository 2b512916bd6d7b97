import type { Operation, Tool } from '@gateway/sdk'
import { type Json, ref } from './json.ts'

const KEY = 'Idempotency-Key'
const REPLAYED = 'Idempotency-Replayed'

/** The header that every write takes, and that of its answer; operations refer to them. */
export const idempotencyComponents = {
  parameters: {
    [KEY]: {
      name: KEY,
      in: 'header',
      required: false,
      description: 'Repeating a call with its key within 24 hours returns the first answer; other arguments are refused (409).',
      schema: { type: 'string', minLength: 1, maxLength: 200 },
    },
  },
  headers: {
    [REPLAYED]: { description: '`true` on the answer to a repeated call, which changed nothing.', schema: { type: 'string' } },
  },
}

/** A tool that only passes calls on takes no key itself: the operation that it calls does. */
const takesKey = (operation: Operation): boolean => operation.effect !== 'read' && (operation as Tool).forwardsTo === undefined

export const keyParameter = (operation: Operation): readonly Json[] => (takesKey(operation) ? [ref('parameters', KEY)] : [])

export const replayHeaders = (operation: Operation): Json =>
  takesKey(operation) ? { headers: { [REPLAYED]: ref('headers', REPLAYED) } } : {}
