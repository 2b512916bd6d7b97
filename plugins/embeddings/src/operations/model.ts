import type { Log } from '@gateway/sdk'
import { fetchModel } from './fetch-model.ts'
import { missingFile } from './model-files.ts'

/** A gateway that lives shorter than this needs no model. */
const FETCH_AFTER_MS = 10_000
const FETCH_AGAIN_MS = 60 * 60_000
/** Lifetime of the cached look at the folder. */
const LOOK_AGAIN_MS = 5_000

export interface ModelState {
  readonly state: 'there' | 'missing' | 'fetching'
  readonly reason?: string
  readonly progress?: number
}

/** Files of the model: present, being fetched, or missing. Asking for them starts the fetch, if fetching is enabled. */
export class Model {
  readonly folder: string
  readonly #url: string | undefined
  readonly #log: Pick<Log, 'info' | 'warn'>
  #looked = Number.NEGATIVE_INFINITY
  #missing: string | undefined
  #fetching: { progress: number } | undefined
  #fetchAt = 0
  #fault: string | undefined

  /** Without a URL nothing is fetched. */
  constructor(folder: string, url: string | undefined, log: Pick<Log, 'info' | 'warn'>) {
    this.folder = folder
    this.#url = url
    this.#log = log
  }

  look(): ModelState {
    if (this.#fetching) return { state: 'fetching', progress: this.#fetching.progress }
    const now = performance.now()
    if (now - this.#looked > LOOK_AGAIN_MS) {
      this.#missing = missingFile(this.folder)
      this.#looked = now
    }
    if (this.#missing === undefined) return { state: 'there' }
    if (this.#url !== undefined) this.#fetchSoon(this.#url, now)
    return { state: 'missing', reason: this.#fault ?? `The model file ${this.#missing} is missing.` }
  }

  #fetchSoon(url: string, now: number): void {
    if (now < this.#fetchAt) return
    this.#fetchAt = now + FETCH_AGAIN_MS
    setTimeout(() => void this.#fetch(url), FETCH_AFTER_MS).unref()
  }

  async #fetch(url: string): Promise<void> {
    const fetching = { progress: 0 }
    this.#fetching = fetching
    this.#log.info('Fetching the model of the embeddings', { url, folder: this.folder })
    let reportedBytes = 0
    try {
      await fetchModel(url, this.folder, (share) => {
        fetching.progress = share
        if (share < reportedBytes + 0.25) return
        reportedBytes = share
        this.#log.info('Fetching the model of the embeddings', { percent: Math.round(share * 100) })
      })
      this.#log.info('The embedding model is available', { folder: this.folder })
      this.#fault = undefined
    } catch (error) {
      this.#fault = `The model could not be fetched: ${error instanceof Error ? error.message : String(error)}.`
      this.#log.warn(this.#fault)
    } finally {
      this.#fetching = undefined
      this.#looked = Number.NEGATIVE_INFINITY
    }
  }
}
