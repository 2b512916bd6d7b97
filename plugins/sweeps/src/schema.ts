import { closed, type Infer, Type } from '@gateway/sdk'

export const chatId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The chat to send the report to. Default: DEFAULT_CHAT_ID; without either it is only returned.',
})

export const RankedRepo = Type.Object(
  {
    repo: Type.String(),
    score: Type.Integer({ description: 'The attention that repos_priority gives it; without that tool, how much work waits there.' }),
    reasons: Type.Optional(Type.Array(Type.String(), { description: 'Why it needs attention, as repos_priority says.' })),
    pending: Type.Integer(),
    urgent: Type.Integer({ description: 'Of the pending: P0 and P1.' }),
    working: Type.Integer(),
    review: Type.Integer(),
    stuck: Type.Integer({ description: 'Blocked and dead_letter.' }),
  },
  closed,
)
export type RankedRepo = Infer<typeof RankedRepo>

export const Delivery = {
  delivered: Type.Boolean({ description: 'Whether a channel has taken the report.' }),
  note: Type.Optional(Type.String({ description: 'Why not.' })),
}

export const Brief = Type.Object(
  { repo: Type.String(), text: Type.String(), by: Type.Enum(['agent', 'figures'], { description: 'figures: no agent could be asked.' }) },
  closed,
)
export type Brief = Infer<typeof Brief>
