import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError, EXIT, isCommandError, jsonOption, type ServiceClient, urlOption } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { didYouMean } from '../nearest.ts'
import { offeredTools } from '../offered-tools.ts'
import { asJson, singleArguments } from '../single-arguments.ts'

export default defineCommand({
  summary: 'Call a tool of the running service and print its result.',
  usage: '<tool> [json | @file | --arg name=value …]',
  details: [
    'The arguments are one JSON object, a file that holds one (`@-` is standard input), or single ones.',
    'A value given with --arg is taken as JSON where it is JSON and the tool accepts it, else as text: --arg limit=5 --arg repo=alpha.',
  ].join('\n'),
  options: {
    arg: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      description: 'A single argument; may be repeated, and overrides the JSON.',
    },
    key: {
      type: 'string',
      value: 'KEY',
      description: 'Idempotency key: the same one within 24 hours returns the first answer. Default: a new one.',
    },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [tool, text, ...others], env, cwd, output }) {
    if (tool === undefined) throw new CommandError(EXIT.usage, 'Expected the name of a tool; `gateway tools` lists them.')
    if (others.length > 0) throw new CommandError(EXIT.usage, 'Expected one JSON object after the tool’s name; quote it for the shell.')
    const client = connect(values.url, env)
    const args = { ...(await readArguments(text, cwd)), ...(await singleArguments(values.arg ?? [], tool, client)) }
    const answer = client.call(tool, args, values.key)
    output.json(await answer.catch(async (error: unknown) => Promise.reject(await withNearest(error, tool, client))))
    return EXIT.ok
  },
})

async function withNearest(error: unknown, tool: string, client: ServiceClient): Promise<unknown> {
  if (!isCommandError(error) || (error.record as { code?: unknown } | undefined)?.code !== 'UNKNOWN_TOOL') return error
  const tools = await offeredTools(client).catch(() => [])
  const near = didYouMean(
    tool,
    tools.map(({ name }) => name),
  )
  return new CommandError(error.exitCode, `${error.message}${near}`, error.record)
}

async function readArguments(text: string | undefined, cwd: string): Promise<object> {
  if (text === undefined) return {}
  const source = text.startsWith('@') ? text.slice(1) : undefined
  const content = source === undefined ? text : await readSource(source, cwd)
  const value = asJson(content)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(
      EXIT.usage,
      `The arguments must be a JSON object; ${source === undefined ? 'got' : `${text} holds`} ${content.slice(0, 60)}`,
    )
  }
  return value
}

async function readSource(source: string, cwd: string): Promise<string> {
  try {
    return await readFile(source === '-' ? '/dev/stdin' : resolve(cwd, source), 'utf8')
  } catch (error) {
    throw new CommandError(EXIT.usage, `@${source} cannot be read: ${(error as Error).message}.`)
  }
}
