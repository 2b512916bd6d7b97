import assert from 'node:assert/strict'
import type { Role } from '@gateway/sdk'
import type { Pages } from '../src/pages.ts'
import { perCaller, toolPages } from '../src/tool-list.ts'
import type { View } from '../src/views.ts'

/** The lists that callers of a tenant without tools of its own get from these plugins. */
export function listsPerRole(gateway: Parameters<typeof toolPages>[0]): (role: Role, view: View) => Pages {
  const list = perCaller({ ...gateway, tenantTools: () => [] }, toolPages(gateway))
  return (role, view) => {
    const pages = list({ id: `some ${role}`, kind: 'user', role, tenantId: 'acme' }, view)
    assert.ok(!(pages instanceof Promise))
    return pages
  }
}
