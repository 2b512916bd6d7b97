import type { PluginReport } from '@gateway/kernel'
import { EXIT, jsonOption, type OutputRow, urlOption } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { duration } from '../output.ts'
import { pluginRows } from '../plugin-rows.ts'

interface StatusPage {
  readonly name: string
  /** Absent, like everything except the name, the database and the uptime, for a caller without a credential. */
  readonly version?: string
  readonly uptime: number
  readonly plugins?: readonly PluginReport[]
  readonly [fact: string]: unknown
}

export default defineCommand({
  summary: 'Show the status of the running service.',
  usage: '',
  options: { ...urlOption, ...jsonOption },
  async run({ values, env, output }) {
    const client = connect(values.url, env)
    const status = (await client.get('/status')) as StatusPage
    if (values.json) {
      output.json(status)
      return EXIT.ok
    }
    const { name, version, uptime, plugins = [], ...facts } = status
    output.line(`${version === undefined ? name : `${name} ${version}`} at ${client.url}, up ${duration(uptime)}`)
    output.line()
    output.table(Object.entries(facts).flatMap(([fact, value]) => factRows(fact, value)))
    output.line()
    if (version === undefined) output.line('Details need a credential: set GATEWAY_LOCAL_TOKEN or GATEWAY_API_KEY, or run `gateway login`.')
    else output.table(pluginRows(plugins), ['plugin', '', 'tools', 'start'])
    return EXIT.ok
  },
})

function factRows(name: string, value: unknown): readonly OutputRow[] {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, inner]) => factRows(`${name}.${key}`, inner))
  return [[name, { text: String(value), tone: value === 'disconnected' ? 'bad' : 'plain' }]]
}
