import { closed, defineEvent, Type } from '@gateway/sdk'

export const stored = defineEvent('memory.stored', Type.Object({ chunks: Type.Integer() }, closed))

export const patternsRecalled = defineEvent('memory.patterns-recalled', Type.Object({ chunkIds: Type.Array(Type.String()) }, closed))
