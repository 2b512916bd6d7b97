import type { MongoClient, ServerHeartbeatSucceededEvent } from 'mongodb'

/**
 * Names of the replica sets that the servers report while a client connects: the driver drops a server of another set than the
 * address names, and then only says that it found none in time.
 */
export class ReportedSets {
  readonly #client: MongoClient
  readonly #names = new Set<string>()
  readonly #hear = ({ reply }: ServerHeartbeatSucceededEvent): void => {
    const { setName } = reply as { setName?: unknown }
    if (typeof setName === 'string') this.#names.add(setName)
  }

  constructor(client: MongoClient) {
    this.#client = client
    client.on('serverHeartbeatSucceeded', this.#hear)
  }

  stop(): void {
    this.#client.off('serverHeartbeatSucceeded', this.#hear)
  }

  /** Returns a sentence about a wrong `replicaSet` in the address, or nothing. */
  get advice(): string {
    const { replicaSet } = this.#client.options
    if (!replicaSet || this.#names.size === 0 || this.#names.has(replicaSet)) return ''
    return `. A server answers there, of the replica set ${[...this.#names].join(', ')}: MONGODB_URL names ${replicaSet}; correct its \`replicaSet\`.`
  }
}
