import type { GatewayCredential, Principal, SignedIn, Tenant, TenantAdmin, Ticket } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { AuditTrail, Refusals } from './audit.ts'
import type { Relay } from './relay.ts'

/** The parts of a request that identify the caller. `peerAddress` is the socket's peer, never a header. */
export interface RequestFacts {
  readonly peerAddress: string
  /** The port of the gateway that received the request. */
  readonly port: number
  readonly httpVersion: string
  /** Absent for requests that only read. */
  readonly method?: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Answers synchronously when nothing needs a look-up. Throws, or rejects with, a ToolError. */
export interface Access {
  identify(request: RequestFacts, need?: GatewayCredential): Principal | Promise<Principal>
  /**
   * Tells whether the credential of a request is still valid. Streams ask this, because they outlast their request.
   * A refusal here is neither counted nor recorded.
   */
  stillKnows(request: RequestFacts): Promise<boolean>
}

export type KeyAdmin = Pick<TenantAdmin, 'issueKey' | 'listKeys' | 'revokeKey' | 'standingKey' | 'ownerOfKey' | 'rotateKey'>

/** Status of each tenant, answered from memory; undefined for a tenant that does not exist. */
export interface TenantStatuses {
  statusOf(tenantId: string): Tenant['status'] | undefined
  get(tenantId: string): Promise<Pick<Tenant, 'status'>>
}

export interface AccessParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly audit: AuditTrail
  readonly refusals: Refusals
  readonly relay: Relay
  readonly directory: TenantStatuses
  /** Looks up the person behind a browser session, or the holder of a token, of an existing tenant. */
  readonly sessionOf: (tenantId: string, ticket: string, kind: Ticket) => Promise<SignedIn | undefined>
}

export interface OpenedAccess {
  readonly access: Access
  readonly keys: KeyAdmin
  /** Tells whether a key is valid now, without waiting for the messages of other nodes: its caller has done so. */
  keyStands(tenantId: string, keyId: string): boolean | Promise<boolean>
  /** Drops what is cached of a tenant. */
  forget(tenantId: string): void
  close(): Promise<void>
}
