import { type CallContext, Conflict, defined, gatewayWide, isToolError, type Resolved } from '@gateway/sdk'
import { artifacts, installs, versions } from '../collections.ts'
import { config } from '../config.ts'
import { MarketplaceRejected, type Rejection } from '../errors.ts'
import { sha256, versionIdOf } from '../rules/content-key.ts'
import type { Install, Version } from '../schema.ts'

export const installUses = { config, installs, versions: gatewayWide(versions), artifacts: gatewayWide(artifacts) }
type Refs = Resolved<typeof installUses>
export interface Installed {
  readonly install: Install
  readonly replaced?: string
}

/** Installs this version of the listing for the caller's tenant, in place of any other. A version in doubt is not installed. */
export async function installVersion(slug: string, wanted: string | undefined, refs: Refs, ctx: CallContext): Promise<Installed> {
  const found = await installable(slug, wanted, refs)
  if ((found.price ?? 0) > 0) reject('free', `${found.versionId} costs ${found.price} dollars, and only free listings can be installed.`)
  const artifact = await refs.artifacts.get(found.artifactKey)
  if (!artifact || sha256(artifact.content) !== found.manifestHash) {
    ctx.log.error('an artifact of the marketplace is not what its manifest says', { versionId: found.versionId })
    reject('integrity', `the stored artifact of ${found.versionId} does not have the hash that its manifest names.`)
  }
  return putInPlace(found, refs, ctx)
}

async function installable(slug: string, wanted: string | undefined, { versions }: Refs): Promise<Version> {
  const published = { slug, status: 'published' } as const
  const some = async (where: object): Promise<Version | undefined> =>
    (await versions.find({ where, sort: { rank: -1 }, limit: 1 })).items[0]
  if (!(await some(published)))
    reject('listing', `there is no published listing ${JSON.stringify(slug)}; marketplace_search shows what there is.`, 'slug')
  if (wanted === undefined) {
    const newest = await some({ ...published, yanked: false })
    return newest ?? reject('yanked', `every published version of ${slug} is yanked.`, 'slug')
  }
  const found = await versions.get(versionIdOf(slug, wanted))
  if (found?.status !== 'published') return reject('published', `${slug} has no published version ${JSON.stringify(wanted)}.`, 'version')
  if (found.yanked) return reject('yanked', `${found.versionId} is yanked.`, 'version')
  return found
}

async function putInPlace({ slug, kind, version, title, manifestHash }: Version, refs: Refs, ctx: CallContext): Promise<Installed> {
  const change = { kind, version, title, manifestHash, installedAt: ctx.now().toISOString() }
  const before = await refs.installs.get(slug)
  if (before?.version === version) return alreadyThere(slug, version)
  if (before) {
    // If many callers replace it at the same time, only the first finds it unchanged.
    const after = await refs.installs.updateOne(slug, { set: change }, { version: before.version })
    return after ? { install: after, replaced: before.version } : alreadyThere(slug, version)
  }
  const { maxInstalls } = refs.config
  if ((await refs.installs.count({}, { max: maxInstalls })) >= maxInstalls) {
    throw Conflict({ message: `This tenant has ${maxInstalls} packages installed (marketplace.maxInstalls); remove one first.` })
  }
  try {
    return { install: await refs.installs.insert({ slug, ...change }) }
  } catch (error) {
    if (isToolError(error) && error.code === 'DUPLICATE_KEY') return alreadyThere(slug, version)
    throw error
  }
}

const alreadyThere = (slug: string, version: string): never =>
  reject('installed', `${slug} is installed; asked for was ${version}.`, 'slug')

function reject(check: Rejection['check'], reason: string, field?: string): never {
  throw MarketplaceRejected({ check, reason, ...defined({ field }) })
}
