import { isDeepStrictEqual } from 'node:util'
import { atomically, type CallContext, Conflict, type Resolved, risen, type Transaction } from '@gateway/sdk'
import { artifacts, versions } from '../collections.ts'
import { MarketplaceRejected } from '../errors.ts'
import { artifactKeyOf, sha256, versionIdOf } from '../rules/content-key.ts'
import { rankOf } from '../rules/semver.ts'
import type { Manifest, Version } from '../schema.ts'
import { checkSubmission, checksUses, type Submission } from './checks.ts'

export const submitUses = { ...checksUses, own: versions, artifacts, atomically }
type Refs = Resolved<typeof submitUses>

/** Puts a version of the caller's into review: checked, its artifact stored under its hash and read back. */
export async function submit(submission: Submission, refs: Refs, ctx: CallContext): Promise<Version> {
  const manifest = await checkSubmission(submission, refs, ctx)
  return refs.atomically(async (tx) => {
    await store(manifest.manifestHash, submission.artifactContent, refs, tx)
    return putInReview(manifest, Buffer.byteLength(submission.artifactContent), refs, tx)
  })
}

async function store(hash: string, content: string, { artifacts }: Refs, tx: Transaction): Promise<void> {
  const artifactKey = artifactKeyOf(hash)
  await artifacts.in(tx).upsert({ artifactKey, content }, { set: { content } })
  const stored = await artifacts.in(tx).get(artifactKey)
  if (stored && sha256(stored.content) === hash) return
  throw MarketplaceRejected({ check: 'storage', reason: 'the artifact was not stored as it was sent; nothing is kept. Send it again.' })
}

async function putInReview(manifest: Manifest, artifactBytes: number, refs: Refs, tx: Transaction): Promise<Version> {
  const own = refs.own.in(tx)
  const versionId = versionIdOf(manifest.slug, manifest.version)
  const before = await own.get(versionId)
  // Published between the checks and now.
  if (before?.status === 'published' || before?.status === 'suspended') {
    throw MarketplaceRejected({
      check: 'version',
      field: 'version',
      reason: `${versionId} is published, and a published version does not change.`,
    })
  }
  const now = risen(before?.updatedAt, tx.now.toISOString())
  const after: Version = {
    versionId,
    ...manifest,
    rank: rankOf(manifest.version) as string,
    artifactKey: artifactKeyOf(manifest.manifestHash),
    artifactBytes,
    status: 'in_review',
    yanked: false,
    // A version that was refused is a new submission.
    submittedAt: before?.status === 'in_review' ? before.submittedAt : now,
    updatedAt: now,
  }
  if (before && isDeepStrictEqual({ ...before, updatedAt: '' }, { ...after, updatedAt: '' })) return before
  if (before) await own.deleteOne(versionId)
  else await leaveRoom(refs, tx)
  const stored = await own.insert(after)
  if (before && before.artifactKey !== after.artifactKey) await dropUnused(before.artifactKey, refs, tx)
  return stored
}

async function leaveRoom({ own, config: { maxUnpublished } }: Refs, tx: Transaction): Promise<void> {
  const waiting = await own.in(tx).count({ status: { in: ['in_review', 'delisted'] } }, { max: maxUnpublished })
  if (waiting < maxUnpublished) return
  throw Conflict({
    message: `This tenant has ${maxUnpublished} versions that are not published (marketplace.maxUnpublished); submit one of them again, or wait for the review.`,
  })
}

async function dropUnused(artifactKey: string, { own, artifacts }: Refs, tx: Transaction): Promise<void> {
  if ((await own.in(tx).count({ artifactKey }, { max: 1 })) === 0) await artifacts.in(tx).deleteOne(artifactKey)
}
