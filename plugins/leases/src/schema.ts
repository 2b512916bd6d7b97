import { closed, type Infer, Type } from '@gateway/sdk'

/** Any JSON. Its contents are checked by `checkMeta`. */
const Meta = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Notes of the holder: at most 2048 bytes as JSON, no key that begins with $ or contains a dot.',
})

/** A lease as stored and returned. Times are ISO 8601 in UTC, by the store's clock. */
export const Lease = Type.Object(
  {
    key: Type.String(),
    holder: Type.String(),
    holderPrincipal: Type.Optional(Type.String({ description: 'Principal that acquired it: `key <label>`, `user <id>`, operator.' })),
    epoch: Type.Integer({ description: '1 when the key was free, plus one at each takeover.' }),
    fence: Type.Integer({ description: 'Rises with each acquisition of the key and never repeats, also after a release.' }),
    acquiredAt: Type.String(),
    heartbeatAt: Type.String(),
    leaseUntil: Type.String(),
    meta: Type.Optional(Meta),
  },
  closed,
)
export type Lease = Infer<typeof Lease>

export const key = Type.String({
  pattern: '^\\S{1,200}$',
  rule: { must: 'have 1 to 200 characters, without white space' },
  description: 'Name of the lock; without whitespace.',
})
export const holder = Type.String({
  minLength: 3,
  maxLength: 200,
  rule: { must: 'have at least two segments between slashes, without white space', matches: '^[^\\s/]+(/[^\\s/]+)+$' },
  description:
    'Your name: host/lane/pid, or at least two other segments between slashes. Each process needs its own. Default: key/ and the label of your key.',
})
export const epoch = Type.Integer({ description: 'Epoch of your lease.' })
export const leaseSeconds = Type.Optional(
  Type.Number({ default: 600, description: 'Seconds from now; less than 30 counts as 30, more than 86400 as 86400.' }),
)
export const meta = Type.Optional(Meta)
