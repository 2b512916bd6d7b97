import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { isLocal, warnOfClearText } from '../clear-text.ts'
import { serviceUrl } from '../client.ts'
import { ClientConfig } from '../client-config.ts'
import { defineCommand } from '../command.ts'
import { endpointPath, viewOption } from '../endpoint-path.ts'
import { mcpClients } from '../mcp-clients.ts'
import { didYouMean } from '../nearest.ts'
import { TomlConfig } from '../toml-config.ts'

export default defineCommand({
  summary: 'Write the MCP configuration of a client, so that it finds this service.',
  usage: `${Object.keys(mcpClients).join(' | ')} [--view VIEW] [--stdio] [--undo]`,
  details: [
    'The file is changed in one entry only and kept beside itself before; --undo takes the entry out again.',
    'For a service on another machine the entry names the variable GATEWAY_API_KEY; the key itself is not written.',
    'With --stdio the client starts `gateway mcp`, which calls the service, as you do after `gateway login`.',
  ].join('\n'),
  options: {
    name: { type: 'string', value: 'NAME', description: 'Name of the entry. Default: gateway.' },
    ...viewOption,
    stdio: { type: 'boolean', description: 'Have the client start a program and talk to that, for clients without HTTP.' },
    undo: { type: 'boolean', description: 'Take the entry out again.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [id = '', ...more], env, cwd, output, plugins }) {
    const client = Object.hasOwn(mcpClients, id) ? mcpClients[id] : undefined
    if (!client || more.length > 0) throw new CommandError(EXIT.usage, `Expected one of: ${Object.keys(mcpClients).join(', ')}.`)
    const url = serviceUrl(values.url, env)
    const endpoint = `${url}${endpointPath(values.view)}`
    const headers = isLocal(url) || values.stdio ? undefined : { 'x-api-key': client.variable('GATEWAY_API_KEY') }
    const entry = values.stdio ? client.program(process.execPath, bridgeArguments(url, values.view)) : client.entry(endpoint, headers)
    const Config = client.format === 'toml' ? TomlConfig : ClientConfig
    const config = new Config(client.file({ home: env.HOME ?? homedir(), cwd }), client.servers, values.name ?? 'gateway')
    if (values.undo) {
      const undone = await config.undo(entry)
      if (values.json) output.json({ file: config.path, undone })
      else output.line(undone ? `The entry is taken out of ${config.path}.` : `${config.path} has no such entry.`)
      return EXIT.ok
    }
    for (const family of familiesOf(values.view)) {
      const known = (await plugins()).map((plugin) => plugin.id)
      if (!known.includes(family))
        output.complain(`gateway: there is no family ${family} here; the service must have it.${didYouMean(family, known)}`)
    }
    if (headers) warnOfClearText(url, output)
    await config.write(entry)
    if (values.json) output.json({ file: config.path, entry })
    else {
      output.line(`${client.label} finds the gateway through ${config.path}; restart it there.`)
      if (client.afterwards !== undefined) output.line(client.afterwards)
      if (headers) output.line('It needs the variable GATEWAY_API_KEY in its environment.')
    }
    return EXIT.ok
  },
})

/** This very installation, since a client may look for programs elsewhere than a shell does. */
const bridgeArguments = (url: string, view: string | undefined): readonly string[] => [
  resolve(process.argv[1] ?? ''),
  'mcp',
  '--url',
  url,
  ...(view === undefined ? [] : ['--view', view]),
]

const familiesOf = (view = 'core'): readonly string[] => (view === 'core' ? [] : view.split(','))
