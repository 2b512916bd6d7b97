import type { IncomingHttpHeaders } from 'node:http'
import { defined, readRetryAfter } from '@gateway/sdk'
import { readJson } from '@gateway/sdk/json'

export type Verdict =
  | { readonly is: 'accepted'; readonly refused: number; readonly why?: string }
  | { readonly is: 'refused'; readonly why: string }
  /** `afterMs` as the collector wishes it, if it says. */
  | { readonly is: 'retry'; readonly why: string; readonly afterMs?: number }

const AGAIN = new Set([429, 502, 503, 504])
const MAX_WAIT_MS = 60_000
const LIMITS = { depth: 16, values: 1_000 }

export function readAnswer(status: number, headers: IncomingHttpHeaders, body: Buffer, now: number): Verdict {
  if (status >= 200 && status < 300) return accepted(body)
  const why = `the collector answered ${status}`
  if (!AGAIN.has(status)) return { is: 'refused', why }
  return { is: 'retry', why, ...defined({ afterMs: readRetryAfter(headers['retry-after'], now, MAX_WAIT_MS) }) }
}

function accepted(body: Buffer): Verdict {
  const { value } = readJson(body, LIMITS) as { value?: { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } } | null }
  const partialSuccess = value?.partialSuccess
  const refused = Number(partialSuccess?.rejectedSpans ?? 0)
  if (!(refused > 0)) return { is: 'accepted', refused: 0 }
  return { is: 'accepted', refused, why: String(partialSuccess?.errorMessage ?? 'the collector refused some') }
}
