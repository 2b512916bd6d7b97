import { CommandError, commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'
import { print } from '../operations/done.ts'
import { keyOptions, rotateKey } from '../operations/new-key.ts'

export default commandHandler({
  usage: 'tenant TENANT_ID',
  details:
    'Needs ADMIN_API_TOKEN and local trust. The keys of its role before it stay valid for the grace window, so that callers can follow one by one.',
  options: { ...keyOptions, ...urlOption, ...jsonOption },
  async run({ values, positionals: [kind, id, ...more], output, connectAsAdmin }) {
    if (kind !== 'tenant' || id === undefined || more.length > 0)
      throw new CommandError(EXIT.usage, 'Expected `gateway rotate-keys tenant TENANT_ID`.')
    print(await rotateKey(connectAsAdmin(), id, values), values.json, output)
    return EXIT.ok
  },
})
