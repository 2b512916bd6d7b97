import { embeddings } from '@gateway/plugin-embeddings/api'
import { optional, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { type Engine, engine } from '../operations/engine.ts'
import { LoadedVectors } from '../operations/loaded-vectors.ts'
import { quantize } from '../rules/quantize.ts'

/** A query runs without vectors if they take longer than this. */
const QUERY_MS = 2_000

/** A tenant beyond these looks for changed files more often. */
const MAX_FOLLOWED = 10_000

const MODEL_STATES = { off: 'off', unavailable: 'absent', fetching: 'loading', ready: 'ready' } as const

export const engineProvider = provideProcess(engine, {
  uses: { config, embeddings: optional(embeddings) },
  create({ config, embeddings }): Engine {
    const { vectorsIdleMinutes: idleMinutes, vectorsMaxMegabytes: maxMegabytes } = config
    const embed = async (texts: readonly string[], signal: AbortSignal, query: boolean): Promise<readonly Int8Array[]> =>
      ((await embeddings?.embed(texts, { query, signal })) ?? []).map(quantize)
    return {
      loaded: new LoadedVectors({ idleMinutes, maxMegabytes }),
      embedding: new Map(),
      followed: new BoundedMap(MAX_FOLLOWED),
      able() {
        const { state, remedy, reason } = embeddings?.status() ?? {
          state: 'off' as const,
          remedy: 'Load the plugin `embeddings`.',
          reason: undefined,
        }
        const hint = [reason, remedy].filter(Boolean).join(' ')
        return { able: state === 'ready', model: MODEL_STATES[state], ...(hint !== '' && { hint }) }
      },
      model: () => embeddings?.status().model ?? '',
      async queryVector(text, signal) {
        try {
          const [vector] = await embed([text], AbortSignal.any([signal, AbortSignal.timeout(QUERY_MS)]), true)
          return vector
        } catch {
          signal.throwIfAborted()
          return undefined
        }
      },
      embed: (texts, signal) => embed(texts, signal, false),
    }
  },
})
