import { CommandError, commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

export default commandHandler({
  usage: '[SHELF]',
  details: 'All of them, or whether one is there.',
  options: { upper: { type: 'boolean', description: 'In capitals.' }, ...urlOption, ...jsonOption },
  async run({ values, positionals: [wanted], output, connect }) {
    const { shelves, tenant } = await connect().call('shelf_list')
    if (wanted !== undefined && !shelves.includes(wanted)) throw new CommandError(EXIT.failure, `There is no shelf ${wanted}.`)
    if (values.json) output.json({ shelves })
    else
      output.table(
        shelves.map((name) => [values.upper ? name.toUpperCase() : name, tenant]),
        ['shelf', 'tenant'],
      )
  },
})
