import { homedir } from 'node:os'
import { CommandError, EXIT, type ExitCode, isCommandError } from '@gateway/sdk/command'
import { isLocal, warnOfClearText } from './clear-text.ts'
import { clientOf } from './client.ts'
import type { Env } from './command.ts'
import { savedKey } from './credentials.ts'
import { modelClients, modelVariables, shellLines } from './model-clients.ts'
import type { Output } from './output.ts'
import { serviceAddress } from './service-address.ts'

interface Asked {
  readonly positionals: readonly string[]
  readonly values: { readonly url?: string; readonly undo?: boolean; readonly json?: boolean }
  readonly env: Env
  readonly cwd: string
  readonly output: Output
}

const MODEL_CLIENTS = [...Object.keys(modelClients), 'env']

/** Configures a client to call models through the gateway: writes its configuration, or prints the variables, and asks for the models. */
export async function connectModels({ positionals, values, env, cwd, output }: Asked): Promise<ExitCode> {
  const [name = '', ...more] = positionals
  if (!MODEL_CLIENTS.includes(name) || more.length > 0) {
    throw new CommandError(EXIT.usage, `With --models, expected one of: ${MODEL_CLIENTS.join(', ')}.`)
  }
  const address = serviceAddress(values.url, env)
  const { url } = address
  const client = Object.hasOwn(modelClients, name) ? modelClients[name] : undefined
  if (!client) {
    if (values.undo) throw new CommandError(EXIT.usage, '--undo has nothing to undo for env, which writes no file.')
    if (values.json) output.json(modelVariables(url))
    else for (const line of shellLines(url)) output.line(line)
    return EXIT.ok
  }
  const config = client.config({ home: env.HOME ?? homedir(), cwd, url })
  if (values.undo) {
    const undone = await config.undo()
    if (values.json) output.json({ file: config.path, undone })
    else output.line(undone ? `The entry is taken out of ${config.path}.` : `${config.path} has no such entry.`)
    return EXIT.ok
  }
  if (!isLocal(url)) warnOfClearText(url, output)
  await config.write()
  const key = env.GATEWAY_API_KEY || savedKey(url, env)
  const asked = await modelsAt(address, key)
  if (values.json) output.json({ file: config.path, ...(asked.error === undefined ? { models: asked.models } : { error: asked.error }) })
  else {
    output.line(`${client.label} calls models through ${config.path}; restart it there.`)
    if (asked.error === undefined)
      output.line(`Tested: ${url} serves ${asked.models.length} names of models, such as ${asked.models.slice(0, 3).join(', ')}.`)
    else output.complain(`gateway: the configuration is written, and the test failed: ${asked.error}`)
    output.line(client.afterwards)
    output.line('It needs the variable GATEWAY_API_KEY in its environment, with a key of the gateway.')
  }
  return asked.error === undefined ? EXIT.ok : asked.exitCode
}

type Listed = { readonly models: readonly string[]; readonly error?: undefined } | { readonly error: string; readonly exitCode: ExitCode }

async function modelsAt(address: Parameters<typeof clientOf>[0], key: string | undefined): Promise<Listed> {
  try {
    const { data } = (await clientOf(address, key === undefined ? {} : { 'x-api-key': key }).get('/v1/models')) as {
      readonly data?: readonly { readonly id: string }[]
    }
    const models = (data ?? []).map(({ id }) => id)
    if (models.length > 0) return { models }
    return { error: `no provider of models is configured: set plugins.providers.providers at the gateway.`, exitCode: EXIT.failure }
  } catch (error) {
    return { error: (error as Error).message, exitCode: isCommandError(error) ? error.exitCode : EXIT.failure }
  }
}
