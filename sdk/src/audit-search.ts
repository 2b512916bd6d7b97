import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A record of the audit trail, without the hashes of the chain. */
export const auditRecordSchema = Type.Object(
  {
    seq: Type.Integer({ description: '1 for the tenant’s first record, plus one for each later record.' }),
    at: Type.String(),
    principal: Type.Object(
      {
        id: Type.String(),
        kind: Type.String(),
        role: Type.String(),
        label: Type.Optional(Type.String({ description: 'Label of the API key.' })),
        session: Type.Optional(Type.String({ description: 'Session of the signed-in browser.' })),
      },
      closed,
    ),
    name: Type.String({ description: 'tool.call, or a further record of a tool, such as task.trash.' }),
    tool: Type.String({ description: 'The tool or route that ran or was refused.' }),
    argsDigest: Type.String({ description: 'SHA-256 of the arguments.' }),
    subject: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Ids among the arguments, by argument name.' })),
    decision: Type.String({ description: 'ok, or the code of the refusal.' }),
    requestId: Type.String(),
    via: Type.String(),
    address: Type.Optional(Type.String({ description: 'IP address of the caller.' })),
    client: Type.Optional(Type.String({ description: 'Name that the client reports.' })),
    details: Type.Optional(Type.Object({})),
  },
  closed,
)
/** A record of the audit trail. */
export type AuditRecord = Infer<typeof auditRecordSchema>

/** Selects records of a trail; all given conditions must hold. */
export interface AuditQuery {
  readonly tool?: string | undefined
  readonly name?: string | undefined
  /** Id of the principal, or the label of its key. */
  readonly principal?: string | undefined
  /** `ok`, an error code, or `refused` for anything that is not ok. */
  readonly outcome?: string | undefined
  readonly requestId?: string | undefined
  /** ISO times: from this one on, and before that one. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** At most 1,000. */
  readonly limit: number
  /** `nextCursor` of the previous page. A bad one is BAD_REQUEST naming `cursor`. */
  readonly cursor?: string | undefined
}

/** Records, latest first. */
export interface AuditPage {
  readonly records: readonly AuditRecord[]
  /**
   * Absent at the beginning of the trail. A page reads a bounded part of the trail, so it may be short or empty and still have
   * one.
   */
  readonly nextCursor?: string
}

/** A place where a trail differs from what was written. */
export const auditFaultSchema = Type.Object(
  {
    file: Type.String(),
    line: Type.Integer({ description: 'Line number from 1; 0 stands for the whole file.' }),
    seq: Type.Integer({ description: 'The number that the record has or should have.' }),
    kind: Type.Enum(['changed', 'missing', 'inserted', 'torn', 'head', 'unreadable']),
    message: Type.String(),
  },
  closed,
)
/** A place where a trail differs from what was written. */
export type AuditFault = Infer<typeof auditFaultSchema>

/** Result of verifying a part of a trail against its hashes. */
export interface AuditVerdict {
  readonly records: number
  /** Number of faults; the first 50 are listed. */
  readonly faultCount: number
  readonly faults: readonly AuditFault[]
  /** Remarks that are not faults, such as purged days. */
  readonly notes: readonly string[]
  /** The last record that was read. A copy kept outside the gateway also proves that the whole trail was not rewritten. */
  readonly last: { readonly seq: number; readonly hash: string }
  /** Absent at the end of the trail; a part has about 32 MiB. */
  readonly nextCursor?: string
}

/** Reads the trails that this node has written. It crosses tenants, so its user must check whose trail the caller may read. */
export interface AuditSearch {
  search(tenantId: string, query: AuditQuery): Promise<AuditPage>
  /** Verifies a part of the trail, from its beginning or from a cursor. A bad cursor is BAD_REQUEST naming `cursor`. */
  verify(tenantId: string, cursor?: string): Promise<AuditVerdict>
}
/** Provided by the kernel. */
export const auditSearch = defineService<AuditSearch>('gateway.audit-search', 'process')
