import { closed, type Infer, Type } from '@gateway/sdk'

export const chatId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Chat to send the report to. Default: DEFAULT_CHAT_ID; without either it is only returned.',
})

export const RankedRepo = Type.Object(
  {
    repo: Type.String(),
    score: Type.Integer({ description: 'Attention score from repos_priority; without that tool, the amount of waiting work.' }),
    reasons: Type.Optional(Type.Array(Type.String(), { description: 'Reasons from repos_priority.' })),
    pending: Type.Integer(),
    urgent: Type.Integer({ description: 'Pending tasks of priority P0 and P1.' }),
    working: Type.Integer(),
    review: Type.Integer(),
    stuck: Type.Integer({ description: 'Blocked and dead_letter.' }),
  },
  closed,
)
export type RankedRepo = Infer<typeof RankedRepo>

export const Delivery = {
  delivered: Type.Boolean({ description: 'A channel has accepted the report.' }),
  note: Type.Optional(Type.String({ description: 'Reason it was not delivered.' })),
}

export const Brief = Type.Object(
  { repo: Type.String(), text: Type.String(), by: Type.Enum(['agent', 'figures'], { description: 'figures: no agent was available.' }) },
  closed,
)
export type Brief = Infer<typeof Brief>
