import { CommandError, commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'
import { print } from '../operations/done.ts'
import { keyOptions, rotateKey } from '../operations/new-key.ts'

export default commandHandler({
  usage: 'tenant TENANT_ID',
  details: [
    'Makes a new key of a role. The previous keys of the same role stay valid for the grace period, so that callers can switch one by one.',
    'Needs ADMIN_API_TOKEN and local trust (this machine, or GATEWAY_LOCAL_TOKEN).',
  ].join('\n'),
  options: { ...keyOptions, ...urlOption, ...jsonOption },
  async run({ values, positionals: [kind, id, ...more], output, connectAsAdmin }) {
    if (kind !== 'tenant' || id === undefined || more.length > 0)
      throw new CommandError(EXIT.usage, 'Expected `gateway rotate-keys tenant TENANT_ID`.')
    print(await rotateKey(connectAsAdmin(), id, values), values.json, output)
    return EXIT.ok
  },
})
