import type { Gateway } from '@gateway/kernel'
import { alertRaised, type Infer, newsTold } from '@gateway/sdk'
import { KERNEL_TENANT } from '@gateway/storage'
import { Elsewhere } from './elsewhere.ts'
import { Gathered } from './gathered.ts'
import { type Watcher, Watchers } from './watchers.ts'

type Parts = Pick<Gateway, 'store' | 'relay' | 'clock' | 'hear'>
type News = Infer<(typeof newsTold)['payload']>

const TONES = { info: 'info', warning: 'warn', error: 'bad', critical: 'bad' } as const

/**
 * Sends changes to open streams: 1. a commit names its collection; 2. changes within a moment are collected; 3. each watcher
 * receives the collections of its tenant that it watches. The store is subscribed to only while someone watches, here or on another
 * node.
 */
export class LiveChanges {
  readonly watchers = new Watchers()
  readonly #store: Gateway['store']
  readonly #isWatched: (collection: string) => boolean
  readonly #gathered = new Gathered((changed) => this.#tellAll(changed))
  readonly #elsewhere: Elsewhere
  #unlisten: (() => void) | undefined

  /** `isWatched` is false for collections that nobody may watch, so that their changes cost nothing more. */
  constructor(gateway: Parts, isWatched: (collection: string) => boolean) {
    this.#store = gateway.store
    this.#isWatched = isWatched
    this.#elsewhere = new Elsewhere(gateway, {
      wanted: () => this.#listen(),
      changed: (tenantId, collections) => this.#tell(tenantId, new Set(collections)),
      lost: () => {
        for (const watcher of this.watchers.all()) watcher.tell('lost', {})
      },
    })
    gateway.hear(newsTold, (news, tenantId) => this.#news(tenantId, news))
    gateway.hear(alertRaised, ({ level, title, message }, tenantId) => this.#news(tenantId, { title, text: message, tone: TONES[level] }))
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher)
    this.#listen()
    this.#elsewhere.want(watcher.caller.tenantId)
  }

  remove(watcher: Watcher): void {
    this.watchers.remove(watcher)
    if (this.watchers.size > 0) return
    this.#elsewhere.wantNoMore()
    this.#rest()
  }

  stop(): void {
    this.#elsewhere.wantNoMore()
    this.#unlisten?.()
    this.#gathered.stop()
    for (const watcher of this.watchers.all()) watcher.end()
  }

  #listen(): void {
    // Skips the relay's own records too, which would trigger themselves.
    this.#unlisten ??= this.#store.changes?.listen((collection, tenantId) => {
      if (this.#isWatched(collection)) this.#gathered.add(tenantId, collection)
    })
  }

  #rest(): void {
    if (this.watchers.size > 0 || this.#elsewhere.isWanted) return
    this.#unlisten?.()
    this.#unlisten = undefined
  }

  #tellAll(changed: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const [tenantId, collections] of changed) {
      this.#tell(tenantId, collections)
      if (this.#elsewhere.isWanted) this.#elsewhere.tell(tenantId, [...collections])
    }
    this.#rest()
  }

  #tell(tenantId: string, changed: ReadonlySet<string>): void {
    const concerned = tenantId === KERNEL_TENANT ? this.watchers.all() : this.watchers.whoSee(tenantId)
    for (const watcher of concerned) {
      const collections = [...changed].filter((collection) => watcher.watches(collection))
      if (collections.length > 0) watcher.tell('changed', { collections })
    }
  }

  #news(tenantId: string, news: News): void {
    for (const watcher of this.watchers.of(tenantId)) watcher.tell('news', news)
  }
}
