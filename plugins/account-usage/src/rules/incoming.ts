import { createHash } from 'node:crypto'
import { BadRequest, defined, HOUR_MS, readTime } from '@gateway/sdk'
import type { Asset, AssetInput, Bucket, BucketInput, Reading, ReadingInput } from '../schema.ts'
import { FIVE_HOURS, WEEK } from './window.ts'

/** An id of fixed length for a combination of names. */
const idOf = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)

/** A machine's clock may be slightly ahead; a later time cannot be in the past. */
function pastTime(text: string, field: string, now: Date): Date {
  const time = readTime(text, field)
  if (time.getTime() <= now.getTime() + HOUR_MS) return time
  throw BadRequest({
    field,
    message: `\`${field}\` must not be in the future; got ${time.toISOString()}, and the time is ${now.toISOString()}.`,
  })
}

/** A record for each account, host, hour and model; of duplicates the later one counts. */
export function bucketsOf(sent: readonly BucketInput[], now: Date): ReadonlyMap<string, Bucket> {
  const buckets = new Map<string, Bucket>()
  for (const [at, { account, host = '', hour: text, model, input = 0, output = 0, cacheCreate = 0, cacheRead = 0 }] of sent.entries()) {
    const time = pastTime(text, `buckets[${at}].hour`, now).getTime()
    const hour = new Date(Math.floor(time / HOUR_MS) * HOUR_MS).toISOString()
    const bucketId = idOf(account, host, hour, model)
    buckets.set(bucketId, { bucketId, account, host, hour, model, input, output, cacheCreate, cacheRead })
  }
  return buckets
}

const WINDOWS = { fiveHourResetsAt: FIVE_HOURS.lengthMs, sevenDayResetsAt: WEEK.lengthMs } as const

/** The reported window ends within its own length. */
function resetTime(text: string, field: string, lengthMs: number, at: Date): string {
  const time = readTime(text, field)
  if (time.getTime() <= at.getTime() + lengthMs + HOUR_MS) return time.toISOString()
  const hours = lengthMs / HOUR_MS
  throw BadRequest({ field, message: `\`${field}\` must be within ${hours} hours of when it was read; got ${time.toISOString()}.` })
}

export function readingOf({ host = '', ...sent }: ReadingInput, at: number, now: Date): Reading {
  const field = `readings[${at}]`
  if (sent.fiveHourPct === undefined && sent.sevenDayPct === undefined) {
    throw BadRequest({ field, message: `\`${field}\` needs \`fiveHourPct\` or \`sevenDayPct\`; got neither.` })
  }
  const time = pastTime(sent.at, `${field}.at`, now)
  const resets = (['fiveHourResetsAt', 'sevenDayResetsAt'] as const).flatMap((name) => {
    const text = sent[name]
    return text === undefined ? [] : [[name, resetTime(text, `${field}.${name}`, WINDOWS[name], time)] as const]
  })
  return {
    ...sent,
    host,
    ...Object.fromEntries(resets),
    at: time.toISOString(),
    readingId: idOf(sent.account, host, sent.source, time.toISOString()),
  }
}

/** Identifies an asset by account, kind and expiry, so that reporting it again changes it. */
export function assetOf({ expires, active = true, ...sent }: AssetInput, at: number): Asset {
  const until = expires === undefined ? undefined : readTime(expires, `assets[${at}].expires`).toISOString()
  return { ...sent, active, ...defined({ expires: until }), assetId: idOf(sent.account, sent.kind, until ?? '') }
}
