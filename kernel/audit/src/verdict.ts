import { type AuditFault, type AuditVerdict, BadRequest } from '@gateway/sdk'
import { dayFile, isDayName, nameOf } from './day-file.ts'
import type { ChainPoint } from './record.ts'
import { type TrailPlace, verifyAudit } from './verify.ts'

/** Bytes read for one part: a second or so of CPU, in pieces that block nobody. */
const PART_BYTES = 32 * 1024 * 1024
const MAX_FAULTS = 50

interface Asked {
  readonly cursor?: string | undefined
  readonly stored?: ChainPoint | undefined
}

/** Verifies a part of a tenant's trail against its hashes, for a caller of a running gateway. */
export async function verdictOf(dir: string, tenantId: string, { cursor, stored }: Asked): Promise<AuditVerdict> {
  const from = cursor === undefined ? undefined : readCursor(cursor)
  const faults: AuditFault[] = []
  const keep = (fault: AuditFault): void => {
    if (faults.length < MAX_FAULTS) faults.push(fault)
  }
  const { records, faults: faultCount, notes, last, next } = await verifyAudit(dir, tenantId, keep, { from, maxBytes: PART_BYTES, stored })
  return { records, faultCount, faults, notes, last, ...(next && { nextCursor: writeCursor(next) }) }
}

const writeCursor = ({ file, byte, line, seq, hash }: TrailPlace): string =>
  Buffer.from(`${nameOf(file)} ${byte} ${line} ${seq} ${hash}`).toString('base64url')

function readCursor(cursor: string): TrailPlace {
  const [, name, byte, line, seq, hash] =
    /^([\d_-]{10,26}) (\d{1,15}) (\d{1,15}) (\d{1,15}) ([\w-]*)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (name === undefined || hash === undefined || !isDayName(name))
    throw BadRequest({ field: 'cursor', message: '`cursor` must be the `nextCursor` of the part before.' })
  return { file: dayFile(name), byte: Number(byte), line: Number(line), seq: Number(seq), hash }
}
