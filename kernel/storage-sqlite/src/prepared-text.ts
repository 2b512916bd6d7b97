import { createHash } from 'node:crypto'
import { BoundedMap } from '@gateway/sdk/bounds'
import { preparedWords } from '@gateway/storage'

/**
 * Prepared text is indexed as words of its tenant: each begins with the tenant's mark. The list of a word then holds only one
 * tenant's documents, and a search costs what that tenant has; intersecting with a word that all of a tenant's documents have
 * would cost a walk over all of them. FTS5 stores a shared prefix of words once per page.
 */
export function tenantMark(tenant: string): string {
  const known = marks.get(tenant)
  if (known !== undefined) return known
  // Seven digits to the base 36 before each word. If two tenants ever share a mark, each row's own tenant still decides.
  const mark = `t${createHash('sha256').update(tenant).digest().readBigUInt64BE().toString(36).padStart(13, '0').slice(-7)}`
  marks.set(tenant, mark)
  return mark
}
const MAX_MARKS = 10_000
const marks = new BoundedMap<string, string>(MAX_MARKS)

export function markedText(tenant: string, text: string): string {
  const mark = tenantMark(tenant)
  return preparedWords(text)
    .map((word) => mark + word)
    .join(' ')
}
