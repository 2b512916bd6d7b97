import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { isLocal, warnOfClearText } from '../clear-text.ts'
import { ClientConfig } from '../client-config.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { connectModels } from '../connect-models.ts'
import { type ConnectionTest, testConnection } from '../connection-test.ts'
import { endpointPath, viewOption } from '../endpoint-path.ts'
import { type LibraryReport, refuseWithoutLibrary, removeLibrary, reportLibrary, writeLibrary } from '../library/write.ts'
import { listedFamilies } from '../listed-families.ts'
import { type McpClient, mcpClients } from '../mcp-clients.ts'
import { didYouMean } from '../nearest.ts'
import type { Output } from '../output.ts'
import { pluginsOf } from '../plugin-commands.ts'
import { serviceAddress } from '../service-address.ts'
import { TomlConfig } from '../toml-config.ts'
import { removeUsage, type UsageReport, writeUsage } from '../usage-hosts.ts'

const options = {
  name: { type: 'string', value: 'NAME', description: 'Name of the entry. Default: gateway.' },
  ...viewOption,
  stdio: { type: 'boolean', description: 'Have the client start a program and talk to it, for clients without HTTP.' },
  skills: { type: 'boolean', description: 'Also write skills, and agents where the client has them, into its folders.' },
  models: {
    type: 'boolean',
    description: 'Have the client call models through this service instead: claude-code, codex, or env for the variables of SDKs.',
  },
  account: { type: 'string', value: 'NAME', description: 'Name of the account whose quotas Claude Code or Codex reports.' },
  'no-usage': { type: 'boolean', description: 'Do not have Claude Code or Codex report the quotas of its account.' },
  undo: { type: 'boolean', description: 'Remove the entry again, the reports of quotas, and the skills that were written.' },
  ...urlOption,
  ...jsonOption,
} as const

export default defineCommand({
  summary: 'Connect an MCP client with this service: write its configuration, and test the connection.',
  usage: `${Object.keys(mcpClients).join(' | ')} | env [--view VIEW] [--stdio] [--skills] [--models] [--no-usage] [--undo]`,
  details: [
    'Only one entry of the file is changed, and a copy of the old file is kept next to it; --undo removes the entry again.',
    'The connection is tested as the client will make it: address, certificate, service, credential, view, MCP. When one of them fails,',
    'the entry is written all the same, the failure is named, and the exit code is not 0. An unknown view writes nothing.',
    'Where the service wants a credential the entry names the variable GATEWAY_API_KEY; the key itself is not written.',
    'With --stdio the client starts `gateway mcp`, which calls the service, as you do after `gateway login`.',
    'With --models nothing of MCP is written: Claude Code and Codex get the address of the model endpoint, and the variable GATEWAY_API_KEY as their',
    'key. `eval "$(gateway connect --models env)"` sets OPENAI_BASE_URL and ANTHROPIC_BASE_URL in a shell.',
    'With --skills the skills, and the agents where the client has a format for them, become files of this project. Run it again to bring them up',
    'to date. A file that the command did not write, or that was edited since, is left alone and named.',
    'Claude Code gets a status line, and Codex a hook, that record how much of the 5-hour and weekly quotas of its account is used; --no-usage',
    'leaves them out. A status line of your own stays.',
  ].join('\n'),
  options,
  async run(invocation) {
    const { values, positionals, env, cwd, output } = invocation
    if (values.models) {
      refuseOthers(values)
      return connectModels(invocation)
    }
    const client = clientNamed(positionals)
    const entryName = values.name ?? 'gateway'
    const place = { client, cwd, entry: entryName }
    const home = env.HOME ?? homedir()
    const [host = ''] = positionals
    if (values.skills) refuseWithoutLibrary(client)
    const address = serviceAddress(values.url, env)
    const { url } = address
    const endpoint = `${url}${endpointPath(values.view)}`
    const Config = client.format === 'toml' ? TomlConfig : ClientConfig
    const config = new Config(client.file({ home, cwd }), client.servers, entryName)
    if (values.undo) {
      const undone = await config.undo()
      const usage = await removeUsage(host, { home, cwd })
      const removed = [...(usage === undefined ? [] : [usage]), ...(await removeLibrary(place))]
      if (values.json) output.json({ file: config.path, undone, removed })
      else {
        output.line(undone ? `The entry is taken out of ${config.path}.` : `${config.path} has no such entry.`)
        for (const path of removed) output.line(path === usage ? `The entry is taken out of ${path}.` : `Removed ${path}.`)
      }
      return EXIT.ok
    }
    const isElsewhere = !isLocal(url)
    if (isElsewhere && !values.stdio) warnOfClearText(url, output)
    const test = await testConnection({ address, view: values.view, env, withCredential: isElsewhere || values.stdio === true })
    await refuseUnknownView(test, invocation)
    const sendsKey = test.needsCredential && !values.stdio
    const entry = values.stdio
      ? client.program(process.execPath, bridgeArguments(url, values.view))
      : client.entry(endpoint, sendsKey ? { 'x-api-key': client.variable('GATEWAY_API_KEY') } : undefined)
    await config.write(entry)
    const { failure, tools } = test
    const outcome = failure ? { failed: failure.part, error: failure.error } : { tools }
    const usageArguments = ['--url', url, ...(values.account === undefined ? [] : ['--account', values.account])]
    const usage = values['no-usage'] ? undefined : await writeUsage(host, { home, cwd }, usageArguments)
    const library = values.skills && !failure ? await writeLibrary(place, values.url, env) : undefined
    if (values.json) output.json({ file: config.path, entry, ...outcome, ...(usage && { usage }), ...(library && { library }) })
    else report({ client, path: config.path, url, sendsKey, test, usage, library }, output)
    return failure?.exitCode ?? EXIT.ok
  },
})

/** Options of MCP have no meaning for models. */
function refuseOthers(values: Invocation<typeof options>['values']): void {
  const other = (['name', 'view', 'stdio', 'skills', 'account', 'no-usage'] as const).find((option) => values[option] !== undefined)
  if (other !== undefined) throw new CommandError(EXIT.usage, `--${other} cannot be used with --models.`)
}

function clientNamed([id = '', ...more]: readonly string[]): McpClient {
  const client = Object.hasOwn(mcpClients, id) ? mcpClients[id] : undefined
  if (client && more.length === 0) return client
  if (id === 'env') throw new CommandError(EXIT.usage, '`env` needs --models: `gateway connect --models env`.')
  throw new CommandError(EXIT.usage, `Expected one of: ${Object.keys(mcpClients).join(', ')}.`)
}

/** The service knows its families best; if it does not answer, the installed families count. */
async function refuseUnknownView(
  { failure }: ConnectionTest,
  { values: { view }, env, cwd, plugins }: Invocation<typeof options>,
): Promise<void> {
  if (view === undefined || view === 'core' || failure === undefined) return
  const families = failure.families ?? listedFamilies((await pluginsOf({ env, cwd, plugins })).found)
  const unknown = view.split(',').find((family) => !families.includes(family))
  if (unknown === undefined) return
  const near = didYouMean(unknown, [...families, 'core'])
  throw new CommandError(
    EXIT.usage,
    `--view must be core, or families such as tasks,mailbox; got ${JSON.stringify(unknown)}, which is neither. Nothing was written.${near} Families: ${families.join(', ')}.`,
  )
}

interface Written {
  readonly client: McpClient
  readonly path: string
  readonly url: string
  readonly sendsKey: boolean
  readonly test: ConnectionTest
  readonly usage: UsageReport | undefined
  readonly library: LibraryReport | undefined
}

function report({ client, path, url, sendsKey, test: { failure, tools }, usage, library }: Written, output: Output): void {
  if (failure) {
    output.line(`The entry is written to ${path}, and the connection does not work yet.`)
    output.complain(`gateway: the connection test failed at the ${failure.part}: ${failure.error}`)
  } else {
    output.line(`${client.label} finds the gateway through ${path}; restart it there.`)
    output.line(`Tested: ${url} lists ${tools}.`)
  }
  if (usage?.isWritten) output.line(`It reports the quotas of its account, by ${usage.file}.`)
  if (usage?.say !== undefined) output.line(usage.say)
  if (library) reportLibrary(library, output)
  if (client.afterwards !== undefined) output.line(client.afterwards)
  if (sendsKey) output.line('It needs the variable GATEWAY_API_KEY in its environment.')
}

/** Uses this very installation, since a client may look for programs elsewhere than a shell does. */
const bridgeArguments = (url: string, view: string | undefined): readonly string[] => [
  resolve(process.argv[1] ?? ''),
  'mcp',
  '--url',
  url,
  ...(view === undefined ? [] : ['--view', view]),
]
