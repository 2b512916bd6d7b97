import { commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

export default commandHandler({
  details: 'The repository is not changed. Calls of the brain wait until the end, which takes about a minute for 100,000 atoms.',
  options: { ...urlOption, ...jsonOption },
  async run({ values, output, connect }) {
    const answer = (await connect().post('/api/brain/reindex', {})) as { readonly atoms: number; readonly commit: string }
    if (values.json) output.json(answer)
    else output.line(`The index has ${answer.atoms} atoms, up to ${answer.commit}.`)
    return EXIT.ok
  },
})
