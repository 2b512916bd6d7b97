import { jsonOption, urlOption } from '../args.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'
import { keyOptions, rotateKey, runAction, showKey } from './tenant.ts'

export default defineCommand({
  summary: 'Mint a new key for a tenant; the old ones run out.',
  usage: 'tenant TENANT_ID',
  details:
    'Needs ADMIN_API_TOKEN and local trust. The keys of its role before it stay valid for the grace window, so that callers can follow one by one.',
  options: { ...keyOptions, ...urlOption, ...jsonOption },
  async run({ values, positionals: [kind, id, ...more], env, output }) {
    if (kind !== 'tenant' || id === undefined || more.length > 0)
      throw new CliError(EXIT.usage, 'Expected `gateway rotate-keys tenant TENANT_ID`.')
    return runAction(
      async (client, target, options, to) => {
        const { apiKey, graceUntil } = await rotateKey(client, target, options)
        to.line(`The keys of its role before it stay valid until ${graceUntil}.`)
        showKey(apiKey, to)
      },
      id,
      { values, env, output },
    )
  },
})
