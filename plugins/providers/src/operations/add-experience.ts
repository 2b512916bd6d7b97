import { type Collection, DuplicateKey, type Infer, isToolError } from '@gateway/sdk'
import type { experiences } from '../collections.ts'
import { added, keyOf, type Observation, type Observed } from '../rules/experience.ts'

type Stored = Infer<(typeof experiences)['schema']>
/** Nodes write a model once a minute each, so that they seldom meet. */
const ATTEMPTS = 5

/** Adds an observation to the document of its model. Returns the sum, or undefined if other nodes were always faster. */
export async function addExperience(all: Collection<Stored>, observation: Observation, now: Date): Promise<Observed | undefined> {
  const { provider, model } = observation
  const id = keyOf(provider, model)
  const changedAt = now.toISOString()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await all.get(id)
    const sum = added(before ?? { worked: 0, failed: 0, at: 0 }, observation, now.getTime())
    if (before) {
      const { at, worked, failed } = before
      if (await all.updateOne(id, { set: { ...sum, changedAt } }, { at, worked, failed })) return sum
    } else if (await inserted(all, { id, provider, model, ...sum, changedAt })) return sum
  }
  return undefined
}

async function inserted(all: Collection<Stored>, stored: Stored): Promise<boolean> {
  try {
    await all.insert(stored)
    return true
  } catch (error) {
    if (isToolError(error) && error.code === DuplicateKey.code) return false
    throw error
  }
}
