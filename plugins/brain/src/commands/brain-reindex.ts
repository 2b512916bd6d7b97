import { commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

export default commandHandler({
  details: 'The repository is not changed. Calls of the brain wait until the end, which takes about a minute for 100,000 atoms.',
  options: {
    'accept-other': {
      type: 'boolean',
      description: 'Also if the repository is another one than the index was made from: it was lost, or is an older one.',
    },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, output, connect }) {
    const acceptOther = values['accept-other'] ?? false
    const answer = (await connect().post('/api/brain/reindex', { acceptOther })) as { readonly atoms: number; readonly commit?: string }
    if (values.json) output.json(answer)
    else if (answer.commit === undefined) output.line('The index is empty, since there is no repository; the next commit begins one.')
    else output.line(`The index has ${answer.atoms} atoms, up to ${answer.commit}.`)
    return EXIT.ok
  },
})
