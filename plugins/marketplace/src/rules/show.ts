import type { Listing, ShownVersion, Summary, Version } from '../schema.ts'

export function showVersion({ versionId: _versionId, rank: _rank, ...shown }: Version): ShownVersion {
  return shown
}

export function showListing({ ownerTenantId: _owner, installable: _installable, revision: _revision, ...summary }: Listing): Summary {
  return summary
}
