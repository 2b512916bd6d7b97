import { closed, type Infer, repoText, Type } from '@gateway/sdk'

const DAY_STATUSES = ['enabled', 'disabled', 'done', 'blocked'] as const
export type DayStatus = (typeof DAY_STATUSES)[number]

/** The highest number of a day. All days of a plan go into the trash in one piece, so a plan is bounded. */
export const MAX_DAY = 1_000

/** A day of a plan as stored and returned. Times are ISO 8601 in UTC. */
export const PlanDay = Type.Object(
  {
    planDayId: Type.String(),
    repo: Type.String(),
    day: Type.Integer(),
    date: Type.String({ description: 'Planned date, in UTC.' }),
    fireHourUtc: Type.Integer({ description: 'Requested hour.' }),
    fireAt: Type.String({ description: 'Time when it fires, outside working hours in Sydney.' }),
    focus: Type.String(),
    status: Type.Enum(DAY_STATUSES),
    taskId: Type.Optional(Type.String({ description: 'Task that was created when it fired.' })),
    past: Type.Optional(Type.Boolean({ description: 'True if its time was more than a week ago when it was planned: it does not fire.' })),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type PlanDay = Infer<typeof PlanDay>

export const repo = repoText(200)
export const reason = Type.String({ maxLength: 2_000, description: 'Reason, for later readers.' })
export const startDate = Type.String({
  pattern: '^(19[7-9]|2\\d\\d)\\d-\\d\\d-\\d\\d$',
  description: 'Date of day 1, such as 2026-03-31. Default: today in UTC; existing days keep their date.',
})
export const fireHourUtc = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: 'Hour at which they fire. Default: 23; existing days keep their hour.',
})
export const days = Type.Array(
  Type.Object(
    {
      day: Type.Integer({ minimum: 1, maximum: MAX_DAY, description: '1 is startDate.' }),
      focus: Type.Optional(Type.String({ maxLength: 2_000, description: 'Work of the day.' })),
      status: Type.Optional(Type.Enum(DAY_STATUSES, { description: 'Default enabled.' })),
    },
    closed,
  ),
  { minItems: 1, maxItems: MAX_DAY, description: 'Days to write, each once.' },
)
