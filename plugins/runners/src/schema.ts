import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'

const named = (options: object = {}) => nonBlankText(200, options)

const sessionFields = {
  slot: Type.Integer({ description: 'Number from 1.' }),
  holder: Type.String(),
  holderPrincipal: Type.Optional(Type.String({ description: 'Principal that acquired it: `key <label>`, `user <id>`, operator.' })),
  machine: Type.Optional(Type.String()),
  account: Type.Optional(Type.String()),
  taskId: Type.Optional(Type.String()),
  acquiredAt: Type.String(),
}

/** A runner session in its slot. Times are ISO 8601 in UTC, by the store’s clock. */
export const SlotLease = Type.Object(
  { ...sessionFields, heartbeat: Type.String({ description: 'Time of the last extension.' }), leaseUntil: Type.String() },
  closed,
)
export type SlotLease = Infer<typeof SlotLease>

const END_REASONS = ['released', 'reclaimed', 'account_mismatch'] as const
export type EndReason = (typeof END_REASONS)[number]

export const PastSession = Type.Object(
  { ...sessionFields, releasedAt: Type.String(), durationMs: Type.Integer(), endReason: Type.Enum(END_REASONS) },
  closed,
)
export type PastSession = Infer<typeof PastSession>

export const Machine = Type.Object(
  {
    machine: Type.String(),
    holder: Type.Optional(Type.String()),
    holderPrincipal: Type.Optional(
      Type.String({ description: 'Principal that reported the holder: `key <label>`, `user <id>`, operator.' }),
    ),
    address: Type.Optional(Type.String()),
    capabilities: Type.Optional(Type.Array(Type.String())),
    firstHeartbeatAt: Type.String(),
    lastHeartbeatAt: Type.String(),
  },
  closed,
)
export type Machine = Infer<typeof Machine>

/** Keys of earlier versions name neither agent nor issuer. */
export const TaskKey = Type.Object(
  {
    taskId: Type.String(),
    claimId: Type.String(),
    hash: Type.String(),
    issuedAt: Type.String(),
    agent: Type.Optional(Type.String()),
    issuedBy: Type.Optional(Type.Object({ id: Type.String(), label: Type.Optional(Type.String()) }, closed)),
  },
  closed,
)

/** The branch of an accepted task that the lane merge of a runner could not merge. */
export const Unmerged = Type.Object(
  {
    taskId: Type.String(),
    branch: Type.String(),
    reason: Type.String({ description: 'Why its latest pass did not merge it.' }),
    since: Type.String(),
    toldAt: Type.String({ description: 'Time when the lane has told it last.' }),
  },
  closed,
)
export type Unmerged = Infer<typeof Unmerged>

const DEFAULT_SLOTS = 2
export const MAX_SLOTS = 1_000
const DEFAULT_LEASE_SECONDS = 3_600
const MAX_LEASE_SECONDS = 7 * 86_400
const DEFAULT_THRESHOLD_MINUTES = 25
export const defaults = { slots: DEFAULT_SLOTS, leaseSeconds: DEFAULT_LEASE_SECONDS, thresholdMinutes: DEFAULT_THRESHOLD_MINUTES }

/** Present in answers to `system` and `operator`, who see every tenant. */
export const tenantId = Type.Optional(Type.String({ description: 'Tenant that holds it, when not your own.' }))

export const holder = named({ description: 'Name of the runner session. Default: the label of your key.' })
export const machine = named()
export const account = named({ description: 'Account the session runs under.' })
export const taskId = named({ description: 'Task it works on.' })
export const slot = Type.Integer({ description: 'Slot number, from 1.' })
export const agent = named({ description: 'Agent that works on the task: its budget counts calls of models with the key.' })
export const claimId = named({ maxLength: 100, description: 'claimId of tasks_claim, while it holds the task.' })
export const slots = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_SLOTS, default: DEFAULT_SLOTS, description: 'Number of slots: as many as active accounts.' }),
)
export const leaseSeconds = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_LEASE_SECONDS,
    default: DEFAULT_LEASE_SECONDS,
    description: 'Seconds from now; then the slot is stale and may be reclaimed.',
  }),
)
export const thresholdMinutes = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    default: DEFAULT_THRESHOLD_MINUTES,
    description: 'A machine without a heartbeat for longer is down.',
  }),
)
export const address = Type.String({
  pattern: '^[^\\s,]{1,200}$',
  rule: { must: 'have 1 to 200 characters, without white space and commas' },
  description: 'Mailbox address of the runner.',
})
export const capabilities = Type.Array(named({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Its capabilities. The name of an execution lane, primary or agentic-fallback, means that it serves that lane.',
})
