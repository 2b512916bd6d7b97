import { type Gateway, matchResource, Overloaded, shareOf, TenantSuspended } from '@gateway/kernel'
import { listChanged, type Principal, resourceUpdated } from '@gateway/sdk'
import type { SubscriptionsListenResult } from '@modelcontextprotocol/client'
import { hasAbility } from '../abilities.ts'
import type { EventStream, OpenStream } from '../event-stream.ts'
import { type Id, INTERNAL, INVALID_REQUEST, type Params, RpcError, resultMessage } from '../jsonrpc.ts'
import type { KeepAlive } from '../keep-alive.ts'
import { type Notification, notificationMessage } from '../notification.ts'
import { LISTS, type ListName, readFilter } from './listen-filter.ts'
import { SUBSCRIPTION_ID } from './protocol.ts'
import { missingCapability } from './refusal.ts'
import { resultMeta } from './stamp.ts'
import { type TaskRecord, taskText } from './task-records.ts'
import type { Tasks } from './tasks.ts'

const MAX_LISTENERS = 5_000
/** A caller may be a whole fleet, but must leave room for others. */
const MAX_OF_ONE_CALLER = 2_500

/** The id is in every message of the stream. */
const MAX_ID = 1_000

interface Listener {
  /** As the client sent it; only its own stream sees it, so equal ids of two clients do not meet. */
  readonly id: Id
  readonly stream: EventStream
  readonly owner: Pick<Principal, 'id' | 'tenantId'>
  readonly lists: ReadonlySet<ListName>
  readonly uris: ReadonlySet<string>
  readonly tasks: ReadonlySet<string>
  /** Tasks reported since the stream opened. */
  readonly reported: Set<string>
}

export interface ListenRequest {
  readonly id: Id
  readonly params: Params
  readonly principal: Principal
  readonly capabilities: object
  readonly openStream: OpenStream
}

/**
 * Streams that notify clients of changes, each only of what it asked for and only of its own tenant:
 *
 * 1. The first message acknowledges the subscriptions.
 * 2. A change is reported as it happens; a client that is too slow is disconnected and asks for everything again.
 * 3. The stream ends when the client disconnects, and with a result when the gateway stops or the tenant is suspended.
 */
export class Listeners {
  readonly #gateway: Gateway
  readonly #keepAlive: KeepAlive
  readonly #tenants = new Map<string, Set<Listener>>()
  #size = 0
  #closed = false

  constructor(gateway: Gateway, keepAlive: KeepAlive) {
    this.#gateway = gateway
    this.#keepAlive = keepAlive
    gateway.subscribe(listChanged, ({ list }, tenantId) => {
      this.#notify(tenantId, { method: `notifications/${list}/list_changed` }, ({ lists }) => lists.has(list))
    })
    gateway.subscribe(resourceUpdated, ({ uri }, tenantId) => {
      this.#notify(tenantId, { method: 'notifications/resources/updated', params: { uri } }, ({ uris }) => uris.has(uri))
    })
  }

  get size(): number {
    return this.#size
  }

  /** Throws the protocol's error; then no stream was opened. */
  async open({ id, params, principal, capabilities, openStream }: ListenRequest, tasks: Tasks): Promise<void> {
    if (typeof id === 'string' && id.length > MAX_ID) {
      throw new RpcError(INVALID_REQUEST, `Invalid request: the id of a subscription has at most ${MAX_ID} characters; got ${id.length}`)
    }
    const filter = readFilter(params)
    if (filter.taskIds && !hasAbility(capabilities, 'tasks')) throw missingCapability(['tasks'])
    const taskIds = filter.taskIds && (await tasks.getMany(principal, filter.taskIds)).map(({ taskId }) => taskId)
    // Checked here too: a body may take its time, and this stream would outlast suspension and stop.
    if (this.#closed) throw Overloaded({ message: 'The gateway is stopping.', retryAfterSeconds: 5 })
    if (!this.#gateway.isTenantActive(principal.tenantId)) throw TenantSuspended({ tenantId: principal.tenantId })
    this.#checkRoom(principal)
    const listener: Listener = {
      id,
      stream: openStream('listening'),
      owner: { id: principal.id, tenantId: principal.tenantId },
      lists: new Set(filter.lists),
      uris: new Set(filter.uris?.filter((uri) => matchResource(this.#gateway.inventory.resources, uri) !== undefined)),
      tasks: new Set(taskIds),
      reported: new Set(),
    }
    this.#add(listener)
    const lists = Object.entries(LISTS).filter(([, list]) => listener.lists.has(list))
    const notifications = {
      ...Object.fromEntries(lists.map(([member]) => [member, true])),
      ...(filter.uris && { resourceSubscriptions: [...listener.uris] }),
      ...(taskIds && { taskIds }),
    }
    this.#send(listener, { method: 'notifications/subscriptions/acknowledged', params: { notifications } })
    if (taskIds) void this.#sendTasks(listener, () => tasks.getMany(principal, taskIds))
  }

  taskChanged(record: TaskRecord, tenantId: string): void {
    for (const listener of this.#tenants.get(tenantId) ?? []) {
      if (listener.owner.id === record.owner && listener.tasks.has(record.taskId)) this.#sendTask(listener, record)
    }
  }

  endTenant(tenantId: string): void {
    for (const listener of this.#tenants.get(tenantId) ?? []) this.#end(listener)
  }

  close(): void {
    this.#closed = true
    for (const tenantId of this.#tenants.keys()) this.endTenant(tenantId)
  }

  #notify(tenantId: string, notification: Notification, wants: (listener: Listener) => boolean): void {
    for (const listener of this.#tenants.get(tenantId) ?? []) if (wants(listener)) this.#send(listener, notification)
  }

  #send(listener: Listener, { method, params }: Notification): void {
    if (listener.stream.full) return this.#end(listener)
    const ofStream = { method, params: { _meta: { [SUBSCRIPTION_ID]: listener.id }, ...params } } as Notification
    listener.stream.send(notificationMessage(ofStream))
  }

  #sendTask(listener: Listener, record: TaskRecord): void {
    listener.reported.add(record.taskId)
    this.#send(listener, { method: 'notifications/tasks', params: JSON.parse(taskText(record)) as TaskRecord })
  }

  /** A task may have ended before anyone listened: its client must not wait for an event that is past. */
  async #sendTasks(listener: Listener, read: () => Promise<readonly TaskRecord[]>): Promise<void> {
    try {
      for (const record of await read()) if (!listener.reported.has(record.taskId)) this.#sendTask(listener, record)
    } catch (error) {
      this.#gateway.log.error({ err: error, tenantId: listener.owner.tenantId }, 'a listener could not be notified of its tasks')
      this.#end(listener)
    }
  }

  #checkRoom({ id, tenantId }: Principal): void {
    let ofCaller = 0
    const ofTenant = this.#tenants.get(tenantId)
    for (const { owner } of ofTenant ?? []) if (owner.id === id) ofCaller++
    const share = shareOf(MAX_LISTENERS)
    if ((ofTenant?.size ?? 0) >= share && this.#gateway.admission.isShared) {
      throw new RpcError(INTERNAL, `Too many open subscriptions: a tenant may have ${share} beside others`)
    }
    if (this.#size >= MAX_LISTENERS || ofCaller >= MAX_OF_ONE_CALLER) {
      throw new RpcError(INTERNAL, `Too many open subscriptions: a caller may have ${MAX_OF_ONE_CALLER}, the gateway ${MAX_LISTENERS}`)
    }
  }

  #add(listener: Listener): void {
    const { tenantId } = listener.owner
    const ofTenant = this.#tenants.get(tenantId) ?? new Set()
    this.#tenants.set(tenantId, ofTenant.add(listener))
    this.#size++
    this.#keepAlive.add(listener.stream)
    listener.stream.onClose(() => this.#remove(listener))
  }

  #end(listener: Listener): void {
    if (!this.#remove(listener)) return
    const { id, stream } = listener
    const _meta = { [SUBSCRIPTION_ID]: id, ...resultMeta(this.#gateway.version) }
    stream.send(resultMessage(id, JSON.stringify({ resultType: 'complete', _meta } satisfies SubscriptionsListenResult)))
    stream.end()
  }

  #remove(listener: Listener): boolean {
    const { tenantId } = listener.owner
    const ofTenant = this.#tenants.get(tenantId)
    if (!ofTenant?.delete(listener)) return false
    if (ofTenant.size === 0) this.#tenants.delete(tenantId)
    this.#size--
    return true
  }
}
