import { closed, type Infer, Type } from '@gateway/sdk'

/** The text becomes part of an id, and stores refuse a NUL in an id. */
const withoutNul = { must: 'have no NUL character', matches: '^[^\\u0000]*$' }
const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, rule: withoutNul, description })
export const account = name('The account, as its owner calls it.')
const host = Type.Optional(Type.String({ maxLength: 200, rule: withoutNul, default: '', description: 'Machine that reported it.' }))
const time = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })
const tokens = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, default: 0 }))
const percent = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000, description }))

export const TOKENS = ['input', 'output', 'cacheCreate', 'cacheRead'] as const

export const BucketInput = Type.Object(
  {
    account,
    host,
    hour: time('ISO 8601; cut to its hour.'),
    model: name('The model.'),
    output: tokens,
    input: tokens,
    cacheCreate: tokens,
    cacheRead: tokens,
  },
  closed,
)
export const ReadingInput = Type.Object(
  {
    account,
    host,
    source: Type.Enum(['statusline', 'agy', 'operator'], { description: 'Source of the percentages.' }),
    at: time('ISO 8601: when they were read.'),
    fiveHourPct: percent('Used of the 5-hour window.'),
    fiveHourResetsAt: Type.Optional(time('ISO 8601.')),
    sevenDayPct: percent('Used of the weekly window.'),
    sevenDayResetsAt: Type.Optional(time('ISO 8601.')),
    fablePct: percent('Used of a model’s own weekly window.'),
    opusPct: percent('Used of a model’s own weekly window.'),
  },
  closed,
)
const assetKind = Type.Enum(['full_reset', 'cloud_credit', 'spend_flag'], {
  description: 'full_reset: all windows can be reset. cloud_credit: credit outside the quota. spend_flag: use is billed by token.',
})
export const AssetInput = Type.Object(
  {
    account,
    kind: assetKind,
    usd: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
    expires: Type.Optional(time('ISO 8601.')),
    active: Type.Optional(Type.Boolean({ default: true })),
    note: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  closed,
)
export type BucketInput = Infer<typeof BucketInput>
export type ReadingInput = Infer<typeof ReadingInput>
export type AssetInput = Infer<typeof AssetInput>

const count = Type.Integer()
const tokenFields = { input: count, output: count, cacheCreate: count, cacheRead: count }

/** Tokens of one hour, by account, host and model. Times are ISO 8601. */
export const bucketSchema = Type.Object(
  { bucketId: Type.String(), account: Type.String(), host: Type.String(), hour: Type.String(), model: Type.String(), ...tokenFields },
  closed,
)
/** Tokens of one hour of an account, over all hosts and models: the basis of its windows. */
export const hourSchema = Type.Object({ hourId: Type.String(), account: Type.String(), hour: Type.String(), ...tokenFields }, closed)
export const readingSchema = Type.Object({ readingId: Type.String(), ...ReadingInput.properties, host: Type.String() }, closed)
export const assetSchema = Type.Object({ assetId: Type.String(), ...AssetInput.properties, active: Type.Boolean() }, closed)
export const accountSchema = Type.Object({ account: Type.String(), since: Type.String() }, closed)
export type Bucket = Infer<typeof bucketSchema>
export type Hour = Infer<typeof hourSchema>
export type Reading = Infer<typeof readingSchema>
export type Asset = Infer<typeof assetSchema>

const orNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const Totals = Type.Object(tokenFields, closed)
const Window = Type.Object(
  {
    usedPct: orNull('null while it is unknown.'),
    source: Type.Enum(['real', 'anchored', 'estimate', 'unknown'], {
      description:
        'real: the reported figure; no use since. anchored: a figure reported in this window, plus the use since. estimate: from tokens alone, scaled by earlier reports.',
    }),
    readAt: Type.Optional(Type.String()),
    resetsAt: Type.Optional(Type.String()),
    headroomPct: orNull('Percentage left above the reserve.'),
    projectedPct: orNull('Percentage at the reset, at the pace since the window began.'),
    tokens: Totals,
  },
  closed,
)
export const AccountStatus = Type.Object(
  {
    account: Type.String(),
    fit: Type.Enum(['good', 'reserve', 'exhausted', 'unknown'], {
      description: 'Advice for new work. good: both windows are above their reserve. reserve: one is not. exhausted: one is used up.',
    }),
    hot: Type.Boolean({ description: 'At this pace a window is used up before it resets.' }),
    headroom: orNull('The lesser of both windows, in percent.'),
    fiveHour: Window,
    weekly: Window,
    fablePct: Type.Optional(Type.Number()),
    opusPct: Type.Optional(Type.Number()),
    assets: Type.Array(
      Type.Object(
        { kind: assetKind, usd: Type.Optional(Type.Number()), expires: Type.Optional(Type.String()), note: Type.Optional(Type.String()) },
        { ...closed, description: 'Active and not expired.' },
      ),
    ),
    flags: Type.Array(Type.String()),
    recommendations: Type.Array(Type.String(), { description: 'Advice only; no setting is changed.' }),
  },
  closed,
)
export type AccountStatus = Infer<typeof AccountStatus>
export type WindowStatus = AccountStatus['fiveHour']
export type TokenTotals = WindowStatus['tokens']
