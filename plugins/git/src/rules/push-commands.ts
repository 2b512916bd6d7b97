import type { PushedRef } from '../api.ts'
import { FLUSH, pktLine, readFrame, screenMessage } from './pkt-line.ts'

/** Maximum number of refs per push: each is judged by separate processes. */
export const MAX_REFS = 50
const MAX_SHALLOW_LINES = 1_000
/** Maximum bytes of the commands of a push and its shallow lines, which come before the pack. */
const MAX_BYTES = 262_144

const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)\n?$/
const SHALLOW = /^shallow [0-9a-f]{40}\n?$/
const ZEROS = /^0+$/

export const TOO_MANY_REFS = `A push moves at most ${MAX_REFS} refs.`
const UNREADABLE = 'The push could not be read.'

/**
 * Reads the commands of a push while they arrive, so that a push with too many is refused before git holds any of them. `head`
 * holds all bytes for git; bytes after the commands may be at its end.
 */
export class PushCommands {
  readonly refs: PushedRef[] = []
  capabilities: ReadonlySet<string> = new Set()
  head: Buffer = Buffer.alloc(0)
  /** The reason for the refusal of the push, as a sentence for the client's screen. */
  fault: string | undefined
  #at = 0
  #shallow = 0

  /** Returns true when the commands are complete, or refused. */
  read(chunk: Buffer): boolean {
    this.head = Buffer.concat([this.head, chunk])
    for (;;) {
      const frame = readFrame(this.head, this.#at)
      if (frame.kind === 'flush') return true
      if (frame.kind === 'incomplete' && this.head.length <= MAX_BYTES) return false
      this.fault = frame.kind === 'line' ? this.#command(frame.line) : UNREADABLE
      if (this.fault !== undefined) return true
      if (frame.kind === 'line') this.#at = frame.end
    }
  }

  #command(bytes: Buffer): string | undefined {
    const [line = '', capabilities] = bytes.toString().split('\0')
    if (SHALLOW.test(line)) return ++this.#shallow > MAX_SHALLOW_LINES ? 'A push has at most 1,000 shallow commits.' : undefined
    const [, from = '', to = '', ref] = COMMAND.exec(line) ?? []
    if (ref === undefined) return UNREADABLE
    if (capabilities !== undefined) this.capabilities = new Set(capabilities.trim().split(' '))
    this.refs.push({ ref, from: ZEROS.test(from) ? undefined : from, to: ZEROS.test(to) ? undefined : to })
    return this.refs.length > MAX_REFS ? TOO_MANY_REFS : undefined
  }
}

/** Returns the answer to a refused push that git never sees, in the form that the client asked for. */
export function refusal({ refs, capabilities, fault = UNREADABLE }: Pick<PushCommands, 'refs' | 'capabilities' | 'fault'>): Buffer {
  const lines = [`unpack ${fault}\n`, ...refs.map(({ ref }) => `ng ${ref} ${fault}\n`)]
  const hasReport = capabilities.has('report-status') || capabilities.has('report-status-v2')
  const report = hasReport ? Buffer.concat([...lines.map(pktLine), Buffer.from(FLUSH)]) : Buffer.alloc(0)
  if (!capabilities.has('side-band-64k')) return report
  const bands: Buffer[] = [screenMessage(fault)]
  for (let at = 0; at < report.length; at += MAX_BAND_REPORT_BYTES)
    bands.push(pktLine(Buffer.concat([REPORT, report.subarray(at, at + MAX_BAND_REPORT_BYTES)])))
  return Buffer.concat([...bands, Buffer.from(FLUSH)])
}
const REPORT = Buffer.from([1])
const MAX_BAND_REPORT_BYTES = 60_000
