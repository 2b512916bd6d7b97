import { type Collection, cutText, defined, type Infer, repairText, type Transaction } from '@gateway/sdk'
import { storableText } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import type { observations, rings } from '../collections.ts'
import type { ObservationView } from '../schema.ts'

export type Observation = Infer<typeof observations.schema>
export interface Step {
  readonly repo?: string | undefined
  readonly session?: string | undefined
  readonly tool?: string | undefined
  readonly target?: string | undefined
  readonly exit?: Observation['exit'] | undefined
  readonly files?: readonly string[] | undefined
  readonly branch?: string | undefined
  readonly stepId?: string | undefined
  /** ISO 8601; default: now. */
  readonly at?: string | undefined
}
export interface ObservationUses {
  readonly observations: Collection<Observation>
  readonly rings: Collection<Infer<typeof rings.schema>>
  readonly config: { readonly maxObservations: number }
}

const MAX_TARGET = 300

/** Keeps steps in the ring, in their order. Returns the records. */
export async function observe(
  steps: readonly Step[],
  { observations, rings, config }: ObservationUses,
  tx: Transaction,
): Promise<readonly Observation[]> {
  if (steps.length === 0) return []
  const ring = {
    states: rings,
    documents: observations,
    key: 'observationId' as const,
    prefix: 'observation-',
    max: config.maxObservations,
    isPast: () => false,
  }
  const places = await takePlaces(ring, steps.length, tx)
  const records = steps.map((step, n) => recordOf(step, places[n] as string, tx))
  await observations.in(tx).insertMany(records)
  return records
}

/** A record of a step must not fail its caller, whatever the text is that a host has cut. */
function recordOf({ target, files = [], exit = 'unknown', at, ...step }: Step, observationId: string, tx: Transaction): Observation {
  const { branch, stepId, repo, session, tool } = step
  const text = repairText({
    ...defined({ repo, session, tool }),
    ...(target !== undefined && { target: cutText(storableText(target, MAX_TARGET), MAX_TARGET) }),
    files: files.map((file) => storableText(file, 500)),
  })
  return { observationId, at: at ?? tx.now.toISOString(), exit, ...defined({ branch, stepId }), ...text }
}

/** Returns steps of a session, the newest first. */
export async function stepsOf(session: string, limit: number, { observations }: Pick<ObservationUses, 'observations'>) {
  return (await observations.find({ where: { session }, sort: { observationId: -1 }, limit })).items
}

export async function newestSteps(limit: number, { observations }: Pick<ObservationUses, 'observations'>): Promise<ObservationView[]> {
  return (await observations.find({ sort: { observationId: -1 }, limit })).items.map(stepView)
}

const stepView = ({ stepId: _own, ...step }: Observation): ObservationView => step
