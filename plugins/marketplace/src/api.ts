import { defineService } from '@gateway/sdk'
import type { Kind } from './schema.ts'

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
 * The marketplace packages installed by the caller's tenant, for the registry of agents and skills. A version is left out while
 * the operator has it suspended; one that was yanked or delisted since stays.
 */
export interface InstalledPackages {
  /** The installs by name; at most `maxInstalls`. Costs two reads, and reads no artifact. */
  list(kind: Kind): Promise<readonly InstalledPackage[]>
  /** Includes the artifact, whose hash is checked again; `undefined` when it is not installed, or the hash does not match. */
  get(kind: Kind, name: string): Promise<(InstalledPackage & { readonly content: string }) | undefined>
}
export const installedPackages = defineService<InstalledPackages>('marketplace.installed')
