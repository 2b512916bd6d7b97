import { Unavailable } from '@gateway/sdk'

export interface Job {
  readonly id: number
  readonly text: string
  tries: number
  resolve(vector: Float32Array): void
  reject(error: unknown): void
}

/** Capacity of the queue: at twenty milliseconds each, a later text would wait too long. */
const MAX_WAITING = 4_096

/** Queue of texts for the model: queries first, each kind in its order. A caller that stops waiting leaves the queue. */
export class TextQueue {
  readonly #queries: Job[] = []
  readonly #others: Job[] = []
  #nextId = 0

  add(text: string, { query, signal }: { query: boolean; signal?: AbortSignal | undefined }, added: () => void): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const list = query ? this.#queries : this.#others
      if (list.length >= MAX_WAITING)
        return reject(Unavailable({ message: 'Too many texts are waiting for the model.', retryAfterSeconds: 5 }))
      const leave = (): void => {
        const at = list.indexOf(job)
        if (at !== -1) list.splice(at, 1)
        reject(signal?.reason as Error)
      }
      const done =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', leave)
          then(value)
        }
      const job: Job = { id: this.#nextId++, text, tries: 0, resolve: done(resolve), reject: done(reject) }
      signal?.addEventListener('abort', leave, { once: true })
      list.push(job)
      added()
    })
  }

  take(): Job | undefined {
    return this.#queries.shift() ?? this.#others.shift()
  }

  /** Returns a job to the head. */
  putBack(job: Job): void {
    this.#queries.unshift(job)
  }
}
