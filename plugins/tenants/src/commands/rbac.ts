import { CommandError, commandHandler, EXIT, jsonOption, type ShadowEntry, urlOption } from '@gateway/sdk'

export default commandHandler({
  usage: 'shadow',
  details: [
    'Lists the calls since the start of the service that go beyond the role of their caller, most frequent first. When the list is empty,',
    'RBAC_ENFORCE=on would have refused none of them.',
  ].join('\n'),
  options: { ...urlOption, ...jsonOption },
  async run({ values, positionals, output, connect }) {
    if (positionals.join(' ') !== 'shadow') throw new CommandError(EXIT.usage, 'Expected `gateway rbac shadow`.')
    const report = (await connect().get('/api/rbac/shadow')) as {
      enforced: boolean
      dropped: number
      entries: readonly ShadowEntry[]
    }
    if (values.json) {
      output.json(report)
      return EXIT.ok
    }
    output.line(report.enforced ? 'Roles are enforced.' : 'Roles are not enforced (RBAC_ENFORCE is off).')
    if (report.entries.length === 0)
      output.line(
        report.enforced
          ? 'Roles are enforced: refused calls are in the audit trail and not counted here.'
          : 'No calls beyond the caller’s role.',
      )
    else {
      output.table(
        report.entries.map(({ tenantId, principal, role, operation, capability, leastRole, count, lastAt }) => [
          String(count),
          tenantId,
          principal,
          role,
          operation,
          `${capability} (${leastRole})`,
          lastAt,
        ]),
        ['calls', 'tenant', 'caller', 'role', 'called', 'lacks (least role)', 'last'],
      )
    }
    if (report.dropped > 0) output.line(`… and ${report.dropped} calls of further kinds.`)
    return EXIT.ok
  },
})
