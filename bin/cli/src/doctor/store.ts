import type { CollectionRef } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Finding } from './finding.ts'

export async function checkStore(settings: Settings, collections: readonly CollectionRef[]): Promise<readonly Finding[]> {
  const { chosenStore } = await import('@gateway/defaults/stores')
  const found = await chosenStore(settings).check(settings, collections)
  return found.map(({ of, ...finding }) => ({ check: of === undefined ? 'store' : `store ${of}`, ...finding }))
}
