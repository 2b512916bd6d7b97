import { externalData, type Plugin, tenantMentions } from '@gateway/sdk'

export interface Source {
  /** Path below `src`. */
  readonly file: string
  readonly text: string
}

const FS = /import\s*(?:type\s*)?(?:\*\s*as\s+\w+|\w+|\{[^}]*\})\s*from\s*['"]node:fs(?:\/promises)?['"]/g
const WRITES =
  /\b(?:writeFile|appendFile|mkdir|mkdtemp|rename|copyFile|cp|symlink|link|truncate)(?:Sync)?\b|\bcreateWriteStream\b|\*\s*as\b|^import\s+(?:fs|\w+)\s+from/m
const OPENS = /\bopen(?:Sync)?\b/
const TO_WRITE = /['"`](?:w|a|r\+)x?\+?['"`]|\bO_(?:WRONLY|RDWR|CREAT|APPEND)\b/

function why({ file, text }: Source): string | undefined {
  const imported = [...text.matchAll(FS)].map(([found]) => found).join('\n')
  if (WRITES.test(imported) || (OPENS.test(imported) && TO_WRITE.test(text))) return `${file} writes files`
  return /\bdataDir\b/.test(text) ? `${file} names the data folder` : undefined
}

/**
 * Returns places where a plugin keeps data outside the store without declaring its removal with the tenant, one line each. It
 * contributes `externalData`, or is listed among the plugins whose files belong to no tenant, with the reason.
 */
export function outsideFaults(plugin: Plugin, sources: readonly Source[], noTenants: Readonly<Record<string, string>>): string[] {
  const found = sources.flatMap((source) => why(source) ?? [])
  const declares = plugin.contributes.some(({ to }) => to.id === externalData.id)
  const excused = Object.hasOwn(noTenants, plugin.id)
  if (found.length === 0) return excused ? [`${plugin.id} keeps nothing outside the store: take it off the list`] : []
  if (declares || excused) return []
  return found.map((what) => `${what}: contribute externalData, so that it goes with its tenant`)
}

/** Returns fields in which a plugin's documents name another tenant, without a declared removal of the name, one line each. */
export function mentionFaults(plugin: Plugin): string[] {
  if (plugin.contributes.some(({ to }) => to.id === tenantMentions.id)) return []
  return plugin.collections.flatMap(({ id, schema }) => {
    const fields = Object.keys((schema as unknown as { properties: object }).properties)
    return fields
      .filter((field) => /tenant/i.test(field) && field !== 'tenantId')
      .map((field) => `${id} has ${field}: contribute tenantMentions, so that it goes with that tenant`)
  })
}
