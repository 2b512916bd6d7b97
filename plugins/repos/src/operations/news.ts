import { closed, defineEvent, Type } from '@gateway/sdk'

export const repoChanged = defineEvent(
  'repos.changed',
  Type.Object(
    {
      repo: Type.String(),
      by: Type.Enum(['push', 'card', 'roster']),
      fields: Type.Array(Type.String(), { description: 'Names of the written fields.' }),
      branch: Type.Optional(Type.String()),
      commit: Type.Optional(Type.String()),
      at: Type.String(),
    },
    closed,
  ),
  { public: 'A branch of a known repo was pushed to, or its card or its entry in the roster was written.' },
)
