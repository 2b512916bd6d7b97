import { defined } from '@gateway/sdk'
import type { InstalledPackage } from '../api.ts'
import type { Version } from '../schema.ts'

/** Returns a version as the registry has it: by its slug. */
export function installedPackage({ kind, slug, version, title, description, category, tools }: Version): InstalledPackage {
  return { kind, name: slug, version, title, description, ...defined({ category }), tools }
}
