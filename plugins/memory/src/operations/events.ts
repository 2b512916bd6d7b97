import { closed, defineEvent, Type } from '@gateway/sdk'

/** Chunks wait for their vectors. */
export const stored = defineEvent('memory.stored', Type.Object({ chunks: Type.Integer() }, closed))

/** Patterns were found by a search. */
export const patternsRecalled = defineEvent('memory.patterns-recalled', Type.Object({ chunkIds: Type.Array(Type.String()) }, closed))
