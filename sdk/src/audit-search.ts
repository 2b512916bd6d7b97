import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A record of the audit trail, as it stands there but for the chain’s hashes. */
export const auditRecordSchema = Type.Object(
  {
    seq: Type.Integer({ description: '1 for the tenant’s first record, then one more for each.' }),
    at: Type.String(),
    principal: Type.Object(
      {
        id: Type.String(),
        kind: Type.String(),
        role: Type.String(),
        label: Type.Optional(Type.String({ description: 'Of the API key.' })),
        session: Type.Optional(Type.String({ description: 'Of the browser that signed in.' })),
      },
      closed,
    ),
    name: Type.String({ description: 'tool.call, or what a tool records besides, as task.trash.' }),
    tool: Type.String({ description: 'The tool or route that ran or was refused.' }),
    argsDigest: Type.String({ description: 'SHA-256 of the arguments.' }),
    decision: Type.String({ description: 'ok, or the code of the refusal.' }),
    requestId: Type.String(),
    via: Type.String(),
    address: Type.Optional(Type.String({ description: 'Where the request came from.' })),
    client: Type.Optional(Type.String({ description: 'What the client calls itself.' })),
    details: Type.Optional(Type.Object({})),
  },
  closed,
)
/** A record of the audit trail. */
export type AuditRecord = Infer<typeof auditRecordSchema>

/** Which records of a trail: all given conditions hold. */
export interface AuditQuery {
  readonly tool?: string | undefined
  readonly name?: string | undefined
  /** Id of the principal, or the label of its key. */
  readonly principal?: string | undefined
  /** `ok`, an error code, or `refused` for whatever is not ok. */
  readonly outcome?: string | undefined
  readonly requestId?: string | undefined
  /** ISO times: from this one on, and before that one. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** At most 1,000. */
  readonly limit: number
  /** `nextCursor` of the page before. A bad one is BAD_REQUEST naming `cursor`. */
  readonly cursor?: string | undefined
}

/** Records, latest first. */
export interface AuditPage {
  readonly records: readonly AuditRecord[]
  /** Absent at the beginning of the trail. A page reads a bounded part of the trail: it may be short, even empty, and have one. */
  readonly nextCursor?: string
}

/** Where a trail is not what was written. */
export const auditFaultSchema = Type.Object(
  {
    file: Type.String(),
    line: Type.Integer({ description: 'From 1; 0 for the file as a whole.' }),
    seq: Type.Integer({ description: 'The number that the record has or should have.' }),
    kind: Type.Enum(['changed', 'missing', 'inserted', 'torn', 'head', 'unreadable']),
    message: Type.String(),
  },
  closed,
)
/** Where a trail is not what was written. */
export type AuditFault = Infer<typeof auditFaultSchema>

/** A part of a trail that was read against its own hashes. */
export interface AuditVerdict {
  readonly records: number
  /** How many there are; the first 50 of them are listed. */
  readonly faultCount: number
  readonly faults: readonly AuditFault[]
  /** What one should know and nobody did on purpose, as days that were purged. */
  readonly notes: readonly string[]
  /** The last record that was read. Kept elsewhere, it also proves that nobody wrote the whole trail anew. */
  readonly last: { readonly seq: number; readonly hash: string }
  /** Absent at the end of the trail: a part is about 32 MiB. */
  readonly nextCursor?: string
}

/** Reads the trails that this node has written. It crosses tenants: whoever asks says whose trail the caller may read. */
export interface AuditSearch {
  search(tenantId: string, query: AuditQuery): Promise<AuditPage>
  /** Whether a part of the trail is as it was written: from its beginning, or on from a cursor. A bad one is BAD_REQUEST naming `cursor`. */
  verify(tenantId: string, cursor?: string): Promise<AuditVerdict>
}
/** Provided by the kernel. */
export const auditSearch = defineService<AuditSearch>('gateway.audit-search', 'process')
