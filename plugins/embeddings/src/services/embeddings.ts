import { join } from 'node:path'
import { defined, gatewayInfo, provideProcess, Unavailable } from '@gateway/sdk'
import { DIMENSIONS, type Embeddings, type EmbeddingsStatus, embeddings } from '../api.ts'
import { config } from '../config.ts'
import { findLibrary, INSTALL } from '../operations/find-library.ts'
import { Model } from '../operations/model.ts'
import { MODEL } from '../operations/model-files.ts'
import { ModelProcess } from '../operations/model-process.ts'
import { QueryCache } from '../rules/query-cache.ts'
import { repeatedLook } from '../rules/repeated-look.ts'

const MAX_TEXTS = 256
const OFF = {
  state: 'off',
  reason: 'Embeddings are disabled.',
  remedy: 'Set GATEWAY_EMBEDDINGS to auto.',
  setting: 'GATEWAY_EMBEDDINGS',
} as const

export const embeddingsProvider = provideProcess(embeddings, {
  uses: { config, gateway: gatewayInfo },
  create({ config, gateway }): Embeddings {
    const log = gateway.log('embeddings')
    const folder = config.modelDir ?? join(gateway.dataDir, 'models')
    const model = new Model(folder, config.modelDir === undefined ? config.modelUrl : undefined, log)
    const library = repeatedLook(
      () => findLibrary(),
      () => performance.now(),
    )
    const process = new ModelProcess({
      arguments: () => ({ library: library() ?? '', models: model.folder }),
      idleMs: config.idleMinutes * 60_000,
      log,
    })
    const queries = new QueryCache()
    return { status, embed, forgetQueries: () => queries.clear() }

    function status(): EmbeddingsStatus {
      return { model: MODEL, dimensions: DIMENSIONS, running: process.running, ...stateOf() }
    }

    function stateOf(): Pick<EmbeddingsStatus, 'state' | 'reason' | 'remedy' | 'setting' | 'progress'> {
      if (config.mode === 'off') return OFF
      if (library() === undefined)
        return { state: 'unavailable', reason: 'The package that runs the embedding model is not installed.', remedy: `Run ${INSTALL}.` }
      const { state, reason, progress = 0 } = model.look()
      if (state === 'fetching') return { state, progress, reason: `The model is being downloaded: ${Math.round(progress * 100)} %.` }
      if (state === 'missing') return { state: 'unavailable', ...defined({ reason }), remedy: remedyOf(), setting: 'GATEWAY_MODEL_DIR' }
      const { fault } = process
      return fault === undefined ? { state: 'ready' } : { state: 'unavailable', reason: fault }
    }

    function remedyOf(): string {
      if (config.modelDir === undefined) return 'It is fetched in the background where the network allows it; or set GATEWAY_MODEL_DIR.'
      return `Set GATEWAY_MODEL_DIR to a folder that holds ${MODEL}/.`
    }

    async function embed(texts: readonly string[], { query = false, signal }: { query?: boolean; signal?: AbortSignal } = {}) {
      if (texts.length > MAX_TEXTS) throw new Error(`At most ${MAX_TEXTS} texts can be embedded at once; got ${texts.length}.`)
      const { state, reason = 'The embeddings are not ready.', remedy, setting } = status()
      if (state !== 'ready') throw Unavailable({ message: [reason, remedy].filter(Boolean).join(' '), ...defined({ setting }) })
      // A cached vector also serves later callers, so only the wait for it ends with the caller.
      if (query)
        return Promise.all(
          texts.map((text) =>
            waitFor(
              queries.get(text, () => process.embed(text, { query })),
              signal,
            ),
          ),
        )
      // Texts are sent one after the other, so that callers take turns.
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await process.embed(text, { query, signal }))
      return vectors
    }
  },
})

async function waitFor<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  signal.throwIfAborted()
  let leave: (() => void) | undefined
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([promise, left])
  } finally {
    if (leave) signal.removeEventListener('abort', leave)
  }
}
