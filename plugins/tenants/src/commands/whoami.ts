import { commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

interface Limit {
  readonly limit: number | null
  readonly used: number | null
  readonly resetsAt?: string
}
/** The answer of GET /api/auth/whoami. */
interface Identity {
  readonly tenantId: string
  readonly tenantName: string
  readonly plan: string
  readonly role: string
  readonly principal: { readonly id: string; readonly kind: string }
  readonly capabilities: readonly string[]
  readonly quota: Readonly<Record<string, Limit>>
}

export default commandHandler({
  options: { ...urlOption, ...jsonOption },
  async run({ values, output, connect }) {
    const client = connect()
    const identity = (await client.get('/api/auth/whoami')) as Identity
    if (values.json) output.json(identity)
    else {
      const { tenantId, tenantName, plan, role, principal, capabilities, quota } = identity
      const limits = Object.entries(quota).map(
        ([name, value]) => `${name} ${value.used ?? '?'}/${value.limit ?? 'any'}${value.resetsAt === undefined ? '' : ' a month'}`,
      )
      output.table([
        ['service', client.url],
        ['tenant', tenantName === tenantId ? tenantId : `${tenantName} (${tenantId})`],
        ['plan', plan],
        ['caller', `${principal.id} (${principal.kind})`],
        ['role', role],
        ['may', capabilities.join(', ')],
        ['quota', limits.length === 0 ? 'none' : limits.join(', ')],
      ])
    }
    return EXIT.ok
  },
})
