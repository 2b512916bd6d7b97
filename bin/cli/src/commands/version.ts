import { VERSION } from '@gateway/kernel/version'
import { EXIT, jsonOption } from '@gateway/sdk/command'
import { defineCommand } from '../command.ts'

export default defineCommand({
  summary: 'Print the version of this command and of the runtime.',
  usage: '',
  options: jsonOption,
  async run({ values, output }) {
    if (values.json) output.json({ gateway: VERSION, node: process.versions.node })
    else output.line(`gateway ${VERSION} (Node ${process.versions.node})`)
    return EXIT.ok
  },
})
