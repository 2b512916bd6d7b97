import type { Gateway } from '@gateway/kernel'
import { alertRaised, type Infer, newsPosted, type Principal } from '@gateway/sdk'
import { KERNEL_TENANT } from '@gateway/storage'
import { ChangeBatcher } from './change-batcher.ts'
import { RemoteWatchers } from './remote-watchers.ts'
import { type Watcher, Watchers } from './watchers.ts'

type Parts = Pick<Gateway, 'store' | 'relay' | 'clock' | 'subscribe'>
type News = Infer<(typeof newsPosted)['payload']>

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
  readonly #batcher = new ChangeBatcher((changed) => this.#notifyAll(changed))
  readonly #remote: RemoteWatchers
  #unlisten: (() => void) | undefined

  /** `isWatched` is false for collections that nobody may watch, so that their changes cost nothing more. */
  constructor(gateway: Parts, isWatched: (collection: string) => boolean) {
    this.#store = gateway.store
    this.#isWatched = isWatched
    this.#remote = new RemoteWatchers(gateway, {
      onWatched: () => this.#listen(),
      onChanged: (tenantId, collections) => this.#notify(tenantId, new Set(collections)),
      onGap: () => {
        for (const watcher of this.watchers.all()) watcher.notify('lost', {})
      },
    })
    gateway.subscribe(newsPosted, (news, tenantId) => this.#notifyNews(tenantId, news))
    gateway.subscribe(alertRaised, ({ level, title, message }, tenantId) =>
      this.#notifyNews(tenantId, { title, text: message, tone: TONES[level] }),
    )
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher)
    this.#listen()
    this.#remote.startHeartbeat(watcher.caller.tenantId)
  }

  remove(watcher: Watcher): void {
    this.watchers.remove(watcher)
    if (this.watchers.size > 0) return
    this.#remote.stopHeartbeat()
    this.#unlistenIfIdle()
  }

  stop(): void {
    this.#remote.stopHeartbeat()
    this.#unlisten?.()
    this.#batcher.stop()
    for (const watcher of this.watchers.all()) watcher.end()
  }

  #listen(): void {
    // Skips the relay's own records too, which would trigger themselves.
    this.#unlisten ??= this.#store.changes?.listen((collection, tenantId) => {
      if (this.#isWatched(collection)) this.#batcher.add(tenantId, collection)
    })
  }

  #unlistenIfIdle(): void {
    if (this.watchers.size > 0 || this.#remote.hasWatchers) return
    this.#unlisten?.()
    this.#unlisten = undefined
  }

  #notifyAll(changed: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const [tenantId, collections] of changed) {
      this.#notify(tenantId, collections)
      if (this.#remote.hasWatchers) this.#remote.publish(tenantId, [...collections])
    }
    this.#unlistenIfIdle()
  }

  #notify(tenantId: string, changed: ReadonlySet<string>): void {
    const concerned = tenantId === KERNEL_TENANT ? this.watchers.all() : this.watchers.watchersOfTenantData(tenantId)
    for (const watcher of concerned) {
      const collections = [...changed].filter((collection) => watcher.watches(collection))
      if (collections.length > 0) watcher.notify('changed', { collections })
    }
  }

  #notifyNews(tenantId: string, news: News): void {
    for (const watcher of this.watchers.of(tenantId)) if (concerns(news, watcher.caller)) watcher.notify('news', news)
  }
}

function concerns({ to }: News, { id, label }: Principal): boolean {
  return to === undefined || [id, label].some((name) => name?.toLowerCase() === to.toLowerCase())
}
