import { atomically, BadRequest, type CallContext, type Resolved, type Transaction } from '@gateway/sdk'
import { accounts, assets, buckets, hours, readings } from '../collections.ts'
import { TooManyAccounts } from '../errors.ts'
import { assetOf, bucketsOf, readingOf } from '../rules/incoming.ts'
import { isSame, NO_TOKENS, plus } from '../rules/tokens.ts'
import type { AssetInput, Bucket, BucketInput, Hour, ReadingInput } from '../schema.ts'

export const recordUses = { accounts, buckets, hours, readings, assets, atomically }
type Refs = Resolved<typeof recordUses>

const RECORDS_PER_STORE_STEP = 1_000
/** Limit per tenant. Names come from outside, and the status shows them all. */
export const MAX_ACCOUNTS = 200
/** Limit per account. */
export const MAX_ASSETS = 200

export interface Sent {
  readonly buckets?: readonly BucketInput[] | undefined
  readonly readings?: readonly ReadingInput[] | undefined
  readonly assets?: readonly AssetInput[] | undefined
}

/** Records everything or nothing. Identical existing data is not written again. */
export async function record(refs: Refs, { buckets: sent = [], readings: read = [], assets: owned = [] }: Sent, ctx: CallContext) {
  const now = ctx.now()
  const buckets = bucketsOf(sent, now)
  const readings = read.map((one, at) => readingOf(one, at, now))
  const assets = owned.map(assetOf)
  const names = new Set([...buckets.values(), ...readings, ...assets].map(({ account }) => account))
  return refs.atomically(async (tx) => {
    await ensureAccounts(refs, [...names], now, tx)
    const counted = await putBuckets(refs, buckets, tx)
    for (const { readingId, ...reading } of readings) await refs.readings.in(tx).upsert({ readingId, ...reading }, { set: reading })
    for (const { assetId, ...asset } of assets) {
      const unset = (['usd', 'note'] as const).filter((field) => asset[field] === undefined)
      await refs.assets.in(tx).upsert({ assetId, ...asset }, { set: asset, unset })
    }
    for (const account of new Set(assets.map(({ account }) => account))) {
      if ((await refs.assets.in(tx).count({ account }, { max: MAX_ASSETS + 1 })) > MAX_ASSETS) throw tooManyAssets(account)
    }
    return { accounts: names.size, buckets: { received: sent.length, ...counted }, readings: readings.length, assets: assets.length }
  })
}

const tooManyAssets = (account: string): Error =>
  BadRequest({
    field: 'assets',
    message: `\`assets\` may hold at most ${MAX_ASSETS} entries for an account; ${JSON.stringify(account)} would have more.`,
  })

async function ensureAccounts({ accounts }: Refs, names: readonly string[], now: Date, tx: Transaction): Promise<void> {
  if (names.length > MAX_ACCOUNTS) throw TooManyAccounts({ limit: MAX_ACCOUNTS })
  const known = new Set((await accounts.in(tx).getMany(names)).map(({ account }) => account))
  const met = names.filter((name) => !known.has(name))
  if (met.length === 0) return
  if ((await accounts.in(tx).count({}, { max: MAX_ACCOUNTS })) + met.length > MAX_ACCOUNTS) throw TooManyAccounts({ limit: MAX_ACCOUNTS })
  await accounts.in(tx).insertMany(met.map((account) => ({ account, since: now.toISOString() })))
}

async function putBuckets({ buckets, hours }: Refs, sent: ReadonlyMap<string, Bucket>, tx: Transaction) {
  const known = new Map<string, Bucket>()
  for (const ids of pieces([...sent.keys()])) for (const one of await buckets.in(tx).getMany(ids)) known.set(one.bucketId, one)
  const added = [...sent.values()].filter(({ bucketId }) => !known.has(bucketId))
  const changed = [...sent.values()].filter((bucket) => known.has(bucket.bucketId) && !isSame(known.get(bucket.bucketId) ?? bucket, bucket))
  for (const some of pieces(added)) await buckets.in(tx).insertMany(some)
  for (const { bucketId, ...bucket } of changed) await buckets.in(tx).updateOne(bucketId, { set: bucket })
  for (const { hourId, account, hour, ...more } of differences([...added, ...changed], known).values()) {
    await hours.in(tx).upsert({ hourId, account, hour, ...more }, { inc: more })
  }
  return { added: added.length, changed: changed.length, unchanged: sent.size - added.length - changed.length }
}

function differences(written: readonly Bucket[], known: ReadonlyMap<string, Bucket>): ReadonlyMap<string, Hour> {
  const hours = new Map<string, Hour>()
  for (const bucket of written) {
    const { account, hour } = bucket
    const hourId = `${hour} ${account}`
    const more = plus(bucket, known.get(bucket.bucketId) ?? NO_TOKENS, -1)
    hours.set(hourId, { hourId, account, hour, ...plus(hours.get(hourId) ?? NO_TOKENS, more) })
  }
  return hours
}

function* pieces<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += RECORDS_PER_STORE_STEP) yield items.slice(at, at + RECORDS_PER_STORE_STEP)
}
