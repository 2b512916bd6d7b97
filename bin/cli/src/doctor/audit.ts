import { join } from 'node:path'
import { unexpectedEntries } from '@gateway/audit'
import type { Settings } from '@gateway/settings'
import { verifyTrails } from '../verify-trails.ts'
import { type Finding, findings } from './finding.ts'

export async function checkAudit(settings: Settings): Promise<Finding> {
  const { ok, warn, fail } = findings('audit trail')
  const dir = join(settings.dataDir, 'audit')
  const { trails: results, unasked } = await verifyTrails(settings)
  const broken = results.filter(({ faults }) => faults > 0)
  const [first] = broken.flatMap(({ tenantId, found }) =>
    found.map((fault) => `${tenantId}${fault.file === '' ? '' : `/${fault.file}:${fault.line}`}: ${fault.message}`),
  )
  if (first !== undefined)
    return fail(
      `${broken.length} of ${results.length} trails have faults: ${first}`,
      'See all with `gateway audit verify`, and compare with a backup.',
    )
  const odd = await unexpectedEntries(dir)
  if (odd.length > 0)
    return warn(
      `${results.length} intact, and in ${dir} are files that are no trail: ${odd.slice(0, 5).join(', ')}${odd.length > 5 ? ' and more' : ''}`,
      'The gateway did not make it. Move it away.',
    )
  const [note] = results.flatMap(({ tenantId, notes }) => notes.map((text) => `${tenantId}: ${text}`))
  const whole = `${results.length} intact, ${results.reduce((sum, { records }) => sum + records, 0)} records`
  if (unasked !== undefined)
    return warn(`${whole}; whether whole trails are gone only the store knows: ${unasked}`, 'Put the store right first.')
  return note === undefined ? ok(whole) : warn(`${whole}; ${note}`, 'See all with `gateway audit verify`.')
}
