import { EXIT, isCommandError, jsonOption, type ServiceClient, urlOption } from '@gateway/sdk/command'
import { clientOf, connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { openBrowser } from '../open-browser.ts'

export default defineCommand({
  summary: 'Print the address of the dashboard, or open it in a browser.',
  usage: '',
  details: [
    'On the machine of the service no key is needed. Where one is, and this command has it, the address signs a browser in as the caller:',
    'once, within two minutes. Without one the dashboard asks for a key.',
  ].join('\n'),
  options: { ...urlOption, ...jsonOption, open: { type: 'boolean', description: 'Open it in the browser of this machine.' } },
  async run({ values, env, output }) {
    const client = connect(values.url, env)
    // A gateway that does not run has no dashboard.
    await client.get('/health')
    const { path, expiresAt } = (await codeOf(client)) ?? { path: '/' }
    const url = `${client.url}${path}`
    if (values.json) output.json({ url, ...(expiresAt && { expiresAt }) })
    else output.line(url)
    if (values.open) await openBrowser(url)
    return EXIT.ok
  },
})

interface SignInCode {
  readonly path: string
  readonly expiresAt?: string
}

/** Requests a page that signs a browser in, if sign-in is required and the caller may grant it. */
async function codeOf(client: ServiceClient): Promise<SignInCode | undefined> {
  if ((await refusalOf(clientOf({ url: client.url, source: 'named' }, {}).get('/api/sign-in'))) !== 'UNAUTHORIZED') return undefined
  try {
    return (await client.post('/api/sign-in/codes', {})) as SignInCode
  } catch (error) {
    if (isCommandError(error) && error.exitCode === EXIT.refused) return undefined
    throw error
  }
}

async function refusalOf(answer: Promise<object>): Promise<unknown> {
  try {
    await answer
    return undefined
  } catch (error) {
    if (isCommandError(error) && error.exitCode === EXIT.refused) return (error.record as { readonly code?: unknown }).code
    throw error
  }
}
