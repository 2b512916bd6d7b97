import { closed, defineEvent, Type } from '@gateway/sdk'

/** Published when chunks wait for their vectors. */
export const stored = defineEvent('memory.stored', Type.Object({ chunks: Type.Integer() }, closed))

/** Published when a search found patterns. */
export const patternsRecalled = defineEvent('memory.patterns-recalled', Type.Object({ chunkIds: Type.Array(Type.String()) }, closed))
