import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { warnOfClearText } from '../clear-text.ts'
import { clientOf } from '../client.ts'
import { defineCommand } from '../command.ts'
import { credentialsPath, savedToken, saveKey, saveToken } from '../credentials.ts'
import { openBrowser } from '../open-browser.ts'
import { forgetUrl, rememberedUrl, rememberUrl } from '../remembered-service.ts'
import { serviceAddress } from '../service-address.ts'
import { deviceLogin } from '../token/device-login.ts'
import { tokenOf } from '../token/saved-token.ts'
import { CLIENT_ID, postForm } from '../token/token-endpoint.ts'

/** Part of the answer of GET /api/auth/whoami. */
interface Identity {
  readonly tenantName: string
  readonly role: string
}

export default defineCommand({
  summary: 'Log in with the browser or an API key, and use this service in all further commands.',
  usage: '[--open] [--scope S] [--url U] | --key K [--url U] | --forget',
  details: [
    'Without a key it shows an address and a code: open the address in any browser, sign in there, and approve the code. The tokens it then gets',
    'are renewed by the commands themselves; they end with the key or membership you signed in with, or under Connected clients.',
    'A key is tried with GET /api/auth/whoami. Keys and tokens are kept, for this URL, in a file only you can read.',
    'All commands then call this service, unless --url or GATEWAY_URL names another. --forget returns to the local one.',
    'A dash reads it from the standard input, so that it is in no shell history: `gateway login --key -`.',
  ].join('\n'),
  options: {
    key: { type: 'string', value: 'K', description: 'The API key, gw_live_… or gw_test_…; - reads the standard input.' },
    open: { type: 'boolean', description: 'Without a key: open the address in the browser of this machine.' },
    scope: {
      type: 'string',
      value: 'S',
      description: 'Without a key: scopes to ask for, as in "read work". Default: all that your role has.',
    },
    forget: { type: 'boolean', description: 'End the login at this URL, remove its key, and no longer use its service.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, env, output }) {
    const address = serviceAddress(values.url, env)
    const { url } = address
    if (values.forget) {
      const token = savedToken(url, env)
      // The login is forgotten here also if the service cannot be reached.
      if (token) await postForm(url, '/oauth/revoke', { token: token.refreshToken, client_id: CLIENT_ID }).catch(() => undefined)
      await saveKey(url, undefined, env)
      if (rememberedUrl(env) === url) await forgetUrl(env)
      output.line(`No key is kept for ${url}.`)
      return EXIT.ok
    }
    const key = values.key === '-' ? await standardInput() : values.key
    if (values.key !== undefined && !key)
      throw new CommandError(EXIT.usage, '--key must be an API key, or - to read it from the standard input.')
    if (key && (values.open || values.scope !== undefined))
      throw new CommandError(EXIT.usage, '--open and --scope are for a login without --key.')
    warnOfClearText(url, output)
    const identity = key ? await byKey(key) : await byBrowser()
    await rememberUrl(url, env)
    if (values.json) output.json(identity)
    else {
      output.line(
        `Logged in at ${url} to ${identity.tenantName} as ${identity.role}; the ${key ? 'key is' : 'tokens are'} kept in ${credentialsPath(env)}.`,
      )
      output.line('All commands call this service from now on, unless --url or GATEWAY_URL names another.')
    }
    if (env.GATEWAY_URL && env.GATEWAY_URL.replace(/\/+$/, '') !== url)
      output.complain(`gateway: GATEWAY_URL is ${env.GATEWAY_URL}, and commands call that service as long as it is set.`)
    return EXIT.ok

    async function byKey(apiKey: string): Promise<Identity> {
      const identity = (await clientOf(address, { 'x-api-key': apiKey }).get('/api/auth/whoami')) as Identity
      await saveKey(url, apiKey, env)
      return identity
    }

    async function byBrowser(): Promise<Identity> {
      // Lines for the person do not mix with the JSON.
      const say = (sentence: string): void => (values.json ? output.complain(sentence) : output.line(sentence))
      const answer = await deviceLogin(
        {
          post: (path, fields) => postForm(url, path, fields),
          wait: (seconds) => delay(seconds * 1_000),
          async show({ address: page, complete, code, minutes }) {
            say(`Open ${page} in a browser, and enter the code ${code}. It is valid for ${minutes} minutes.`)
            if (values.open) await openBrowser(complete)
            else say(`Or open ${complete} directly.`)
          },
        },
        values.scope ?? ALL_SCOPES,
      )
      const identity = (await clientOf(address, { authorization: `Bearer ${answer.access_token}` }).get('/api/auth/whoami')) as Identity
      await saveToken(url, tokenOf(answer), env)
      return identity
    }
  },
})

/** The person still chooses on the page, and gives no more than their role has. */
const ALL_SCOPES = 'read work configure members billing'

async function standardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers')
  return (await text(process.stdin)).trim()
}
