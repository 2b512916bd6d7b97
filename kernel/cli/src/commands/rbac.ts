import type { ShadowEntry } from '@gateway/sdk'
import { jsonOption, urlOption } from '../args.ts'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'

export default defineCommand({
  summary: 'Show who would have been refused what if roles were enforced.',
  usage: 'shadow',
  details:
    'What the service saw since its start, most often first. When nothing is left to see, RBAC_ENFORCE=on changes nothing for anyone.',
  options: { ...urlOption, ...jsonOption },
  async run({ values, positionals, env, output }) {
    if (positionals.join(' ') !== 'shadow') throw new CliError(EXIT.usage, 'Expected `gateway rbac shadow`.')
    const report = (await connect(values.url, env).get('/api/rbac/shadow')) as {
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
          ? 'What a role does not hold is refused, and stands in the audit trail; nothing is counted here.'
          : 'Nobody called what their role does not hold.',
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
