import { CommandError, commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

interface Guests {
  readonly guests: readonly { readonly name: string; readonly at: string }[]
}

export default commandHandler({
  usage: '[NAME]',
  details: 'With a name it signs for it. Then it lists who came, the latest first.',
  options: {
    most: { type: 'string', value: 'N', description: 'Maximum number of guests. Default: 20.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [name, ...more], output, connect }) {
    if (more.length > 0) throw new CommandError(EXIT.usage, 'Expected one name, quoted: `gateway guests "Ada Lovelace"`.')
    const service = connect()
    if (name !== undefined) await service.post('/api/guests', { name })
    const answer = (await service.get(`/api/guests?limit=${encodeURIComponent(values.most ?? '20')}`)) as Guests
    if (values.json) output.json(answer)
    else output.table(answer.guests.map(({ name, at }) => [name, at]))
    return EXIT.ok
  },
})
