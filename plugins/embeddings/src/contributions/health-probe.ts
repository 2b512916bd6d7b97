import { contribute, type HealthFinding, healthProbe } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { type Embeddings, embeddings } from '../api.ts'

const MAX_ANSWER_MS = 3_000

/**
 * Without the package or its model, texts are searched by words, which is not a fault. A process that does not start or does not
 * answer is a fault; an idle one is left idle.
 */
export const probe = contribute(healthProbe, {
  uses: { embeddings },
  create: ({ embeddings }) => ({ name: 'embeddings', check: () => look(embeddings) }),
})

async function look(embeddings: Embeddings): Promise<HealthFinding> {
  const { state, running, remedy, reason } = embeddings.status()
  if (state !== 'ready') {
    const isBroken = state === 'unavailable' && remedy === undefined
    return isBroken ? { status: 'degraded', state, running, error: reason } : { status: 'healthy', state, running }
  }
  if (!running) return { status: 'healthy', state, running }
  const fault = await within(answers(embeddings), MAX_ANSWER_MS, 'its process does not answer')
  return fault === undefined ? { status: 'healthy', state, running } : { status: 'degraded', state, running, error: fault }
}

function answers(embeddings: Embeddings): Promise<string | undefined> {
  return embeddings.embed(['health']).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
}
