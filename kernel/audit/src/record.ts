import { hash } from 'node:crypto'
import type { AuditEntry, CallOrigin } from '@gateway/kernel'

/**
 * Each record of the audit trail is one line of JSON, and the line itself is its canonical form:
 *
 *     {"seq":…,"at":…,"principal":{…},…,"prev":"<hash of the previous record>","hash":"<SHA-256 of all bytes before this
 *     member>"}
 *
 * Hashing the stored bytes leaves nothing to normalise, so every changed byte is detected.
 */
export interface ChainPoint {
  /** 1 for a tenant's first record, then one more for each, over all its days. */
  readonly seq: number
  readonly hash: string
}

export interface RecordPlace extends ChainPoint {
  /** Name of the day file. */
  readonly file: string
  /** In bytes. */
  readonly offset: number
}

/** Start of a tenant's chain; the id in it prevents a trail from being passed off as another tenant's. */
export const genesis = (tenantId: string): ChainPoint => ({ seq: 0, hash: sha256(`gateway audit trail of tenant ${tenantId}`) })

/** The members of a record that do not depend on its place in the chain. Throws if `details` is not JSON. */
export function encodeFacts(entry: AuditEntry): string {
  const { principal } = entry
  return (
    `,"at":"${isoTime(entry.at)}"` +
    `,"principal":{"id":${quote(principal.id)},"kind":"${principal.kind}","role":"${principal.role}"` +
    (principal.label === undefined ? '' : `,"label":${quote(principal.label)}`) +
    (principal.session === undefined ? '' : `,"session":${quote(principal.session)}`) +
    '}' +
    `,"name":${quote(entry.name)},"tool":${quote(entry.tool)},"argsDigest":${quote(entry.argsDigest)}` +
    (entry.subject === undefined ? '' : `,"subject":${JSON.stringify(entry.subject)}`) +
    `,"decision":${quote(entry.decision)},"requestId":${quote(entry.requestId)},"via":"${entry.via}"` +
    (entry.origin === undefined ? '' : origin(entry.origin)) +
    (entry.details === undefined ? '' : `,"details":${JSON.stringify(entry.details)}`)
  )
}

/** Clients may name themselves at any length. */
const MAX_CLIENT = 200
function origin({ address, client }: CallOrigin): string {
  return `,"address":${quote(address)}${client === undefined ? '' : `,"client":${quote(client.slice(0, MAX_CLIENT))}`}`
}

/** The record that follows `after`, and its line without the line end. */
export function chainRecord(facts: string, after: ChainPoint): ChainPoint & { readonly line: string } {
  const seq = after.seq + 1
  const body = `{"seq":${seq}${facts},"prev":"${after.hash}"`
  const own = sha256(body)
  return { seq, hash: own, line: `${body},"hash":"${own}"}` }
}

/** A record as stored in a file. `intact`: its bytes match its own hash. */
export interface StoredRecord extends ChainPoint {
  readonly at: string
  readonly name: string
  readonly prev: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly intact: boolean
}

const SEAL_LENGTH = ',"hash":""}'.length + 64
const SEAL = /^,"hash":"([0-9a-f]{64})"\}$/

/** Reads a line (bytes, without the line end); `undefined` if it is not a record. */
export function decodeRecord(line: Buffer): StoredRecord | undefined {
  const body = line.subarray(0, -SEAL_LENGTH)
  const stated = SEAL.exec(line.toString('latin1', body.length))?.[1]
  if (stated === undefined) return undefined
  const record = parseObject(line)
  if (!Number.isSafeInteger(record?.seq) || typeof record?.at !== 'string' || typeof record.prev !== 'string') return undefined
  const { seq, at, name, prev, details } = record as unknown as StoredRecord
  return { seq, at, name, prev, ...(details && { details }), hash: stated, intact: sha256(body) === stated }
}

/** The UTC day of a time, as in the names of day files. */
export const dayOf = (at: number): string => isoTime(at).slice(0, 10)

function parseObject(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const sha256 = (data: string | Buffer): string => hash('sha256', data, 'hex')

// Most strings are identifiers, and testing them is cheaper than escaping.
const PLAIN = /^[\w .:@/-]*$/
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

// Records of one burst share their millisecond, and formatting a date costs more than the rest of the line.
let lastTime = Number.NaN
let lastText = ''
function isoTime(at: number): string {
  if (at !== lastTime) {
    lastText = new Date(at).toISOString()
    lastTime = at
  }
  return lastText
}
