import { INVALID_PARAMS, RpcError } from '../jsonrpc.ts'
import type { Session } from './session.ts'

const MAX_PER_SESSION = 200
const MAX_URI_LENGTH = 2_000
/** Limit for one session together, because they are stored in its record. */
const MAX_LENGTH = 65_536

export class Subscriptions {
  readonly #sessions = new Map<string, Map<string, Set<Session>>>()
  readonly #uris = new Map<Session, Set<string>>()

  get size(): number {
    return this.#uris.size
  }

  add(session: Session, uri: string): void {
    if (uri.length > MAX_URI_LENGTH) {
      throw new RpcError(INVALID_PARAMS, `Invalid params: uri must have at most ${MAX_URI_LENGTH} characters; got ${uri.length}`)
    }
    const uris = getOrAdd(this.#uris, session, () => new Set<string>())
    if (uris.size >= MAX_PER_SESSION && !uris.has(uri)) {
      throw new RpcError(INVALID_PARAMS, `A session subscribes to at most ${MAX_PER_SESSION} resources; unsubscribe from one first`)
    }
    if (!uris.has(uri) && lengthOf(uris) + uri.length > MAX_LENGTH) {
      throw new RpcError(
        INVALID_PARAMS,
        `The URIs a session subscribes to have at most ${MAX_LENGTH} characters together; unsubscribe from one first`,
      )
    }
    uris.add(uri)
    const ofTenant = getOrAdd(this.#sessions, session.owner.tenantId, () => new Map<string, Set<Session>>())
    getOrAdd(ofTenant, uri, () => new Set<Session>()).add(session)
  }

  list(session: Session): string[] {
    return [...(this.#uris.get(session) ?? [])]
  }

  remove(session: Session, uri: string): void {
    const uris = this.#uris.get(session)
    if (!uris?.delete(uri)) return
    if (uris.size === 0) this.#uris.delete(session)
    const ofTenant = this.#sessions.get(session.owner.tenantId)
    const subscribed = ofTenant?.get(uri)
    subscribed?.delete(session)
    if (subscribed?.size === 0) ofTenant?.delete(uri)
    if (ofTenant?.size === 0) this.#sessions.delete(session.owner.tenantId)
  }

  replace(session: Session, uris: readonly string[]): void {
    this.removeAll(session)
    for (const uri of uris) this.add(session, uri)
  }

  removeAll(session: Session): void {
    for (const uri of this.#uris.get(session) ?? []) this.remove(session, uri)
  }

  of(tenantId: string, uri: string): Iterable<Session> {
    return this.#sessions.get(tenantId)?.get(uri) ?? []
  }
}

function lengthOf(uris: Iterable<string>): number {
  let length = 0
  for (const uri of uris) length += uri.length
  return length
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
