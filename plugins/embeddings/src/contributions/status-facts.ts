import { closed, contribute, statusFacts, Type } from '@gateway/sdk'
import { embeddings } from '../api.ts'

const text = Type.Optional(Type.String())
const schema = Type.Object(
  {
    state: Type.Enum(['off', 'unavailable', 'fetching', 'ready']),
    model: Type.String(),
    dimensions: Type.Integer(),
    running: Type.Boolean({ description: 'The model process is running.' }),
    reason: text,
    remedy: text,
    setting: text,
    progress: Type.Optional(Type.Number({ description: 'Downloaded share while fetching, 0 to 1.' })),
  },
  closed,
)

export const embeddingsStatus = contribute(statusFacts, {
  uses: { embeddings },
  create: ({ embeddings }) => ({
    schema: { embeddings: schema },
    unread: {},
    read: async () => ({ embeddings: embeddings.status() }),
  }),
})
