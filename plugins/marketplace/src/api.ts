import { defineService } from '@gateway/sdk'
import type { Kind } from './schema.ts'

/** An agent or skill that the caller’s tenant has installed. */
export interface InstalledPackage {
  readonly kind: Kind
  /** The slug. */
  readonly name: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly category?: string
  readonly tools: readonly string[]
}

/**
 * What the caller’s tenant has installed from the marketplace, for the registry of agents and skills. A version that the operator has
 * suspended is left out for as long; one that was yanked or delisted since stays.
 */
export interface InstalledPackages {
  /** By name; at most `maxInstalls`. Costs two reads, of no artifact. */
  list(kind: Kind): Promise<readonly InstalledPackage[]>
  /** With its artifact, whose hash is checked once more; `undefined` when it is not installed, or not what it should be. */
  get(kind: Kind, name: string): Promise<(InstalledPackage & { readonly content: string }) | undefined>
}
export const installedPackages = defineService<InstalledPackages>('marketplace.installed')
