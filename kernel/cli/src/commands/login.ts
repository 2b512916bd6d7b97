import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { warnOfClearText } from '../clear-text.ts'
import { clientOf, serviceUrl } from '../client.ts'
import { defineCommand } from '../command.ts'
import { credentialsPath, saveKey } from '../credentials.ts'

/** Of the answer of GET /api/auth/whoami. */
interface Identity {
  readonly tenantName: string
  readonly role: string
}

export default defineCommand({
  summary: 'Try an API key and keep it for further calls.',
  usage: '--key K [--url U] | --forget',
  details: [
    'The key is tried with GET /api/auth/whoami and kept, for this URL, in a file only you can read.',
    'A dash reads it from the standard input, so that it stands in no shell history: `gateway login --key -`.',
  ].join('\n'),
  options: {
    key: { type: 'string', value: 'K', description: 'The API key, gw_live_… or gw_test_…; - reads the standard input.' },
    forget: { type: 'boolean', description: 'Remove the kept key of this URL.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, env, output }) {
    const url = serviceUrl(values.url, env)
    if (values.forget) {
      await saveKey(url, undefined, env)
      output.line(`No key is kept for ${url}.`)
      return EXIT.ok
    }
    const key = values.key === '-' ? await standardInput() : values.key
    if (!key) throw new CommandError(EXIT.usage, 'Which key? `gateway login --key K`, or `--key -` to read it from the standard input.')
    warnOfClearText(url, output)
    const identity = (await clientOf(url, { 'x-api-key': key }).get('/api/auth/whoami')) as Identity
    await saveKey(url, key, env)
    if (values.json) output.json(identity)
    else output.line(`Logged in at ${url} to ${identity.tenantName} as ${identity.role}; the key is kept in ${credentialsPath(env)}.`)
    return EXIT.ok
  },
})

async function standardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers')
  return (await text(process.stdin)).trim()
}
