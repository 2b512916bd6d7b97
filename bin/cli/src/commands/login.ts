import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { warnOfClearText } from '../clear-text.ts'
import { clientOf } from '../client.ts'
import { defineCommand } from '../command.ts'
import { credentialsPath, saveKey } from '../credentials.ts'
import { forgetUrl, rememberedUrl, rememberUrl } from '../remembered-service.ts'
import { serviceAddress } from '../service-address.ts'

/** Part of the answer of GET /api/auth/whoami. */
interface Identity {
  readonly tenantName: string
  readonly role: string
}

export default defineCommand({
  summary: 'Check an API key, store it, and use its service in all further commands.',
  usage: '--key K [--url U] | --forget',
  details: [
    'The key is tried with GET /api/auth/whoami and kept, for this URL, in a file only you can read.',
    'All commands then call this service, unless --url or GATEWAY_URL names another. --forget returns to the local one.',
    'A dash reads it from the standard input, so that it is in no shell history: `gateway login --key -`.',
  ].join('\n'),
  options: {
    key: { type: 'string', value: 'K', description: 'The API key, gw_live_… or gw_test_…; - reads the standard input.' },
    forget: { type: 'boolean', description: 'Remove the stored key of this URL, and no longer use its service.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, env, output }) {
    const address = serviceAddress(values.url, env)
    const { url } = address
    if (values.forget) {
      await saveKey(url, undefined, env)
      if (rememberedUrl(env) === url) await forgetUrl(env)
      output.line(`No key is kept for ${url}.`)
      return EXIT.ok
    }
    const key = values.key === '-' ? await standardInput() : values.key
    if (!key)
      throw new CommandError(EXIT.usage, 'Expected an API key: `gateway login --key K`, or `--key -` to read it from the standard input.')
    warnOfClearText(url, output)
    const identity = (await clientOf(address, { 'x-api-key': key }).get('/api/auth/whoami')) as Identity
    await saveKey(url, key, env)
    await rememberUrl(url, env)
    if (values.json) output.json(identity)
    else {
      output.line(`Logged in at ${url} to ${identity.tenantName} as ${identity.role}; the key is kept in ${credentialsPath(env)}.`)
      output.line('All commands call this service from now on, unless --url or GATEWAY_URL names another.')
    }
    if (env.GATEWAY_URL && env.GATEWAY_URL.replace(/\/+$/, '') !== url)
      output.complain(`gateway: GATEWAY_URL is ${env.GATEWAY_URL}, and commands call that service as long as it is set.`)
    return EXIT.ok
  },
})

async function standardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers')
  return (await text(process.stdin)).trim()
}
