import { CommandError, commandHandler, EXIT, isCommandError, jsonOption, urlOption } from '@gateway/sdk'

interface Produced {
  readonly repo?: { readonly name?: string; readonly path?: string; readonly gitRemote?: string }
  /** True if the idea was handed on; otherwise the error. */
  readonly pipeline?: { readonly triggered?: boolean; readonly error?: string }
}

export default commandHandler({
  usage: '"<idea>"',
  details: [
    'Needs a service with the family repos and a pipeline (NEW_APP_PIPELINE_URL, NEW_APP_PIPELINE_TOKEN). From another machine it also needs',
    'GATEWAY_LOCAL_TOKEN.',
  ].join('\n'),
  options: { name: { type: 'string', value: 'NAME', description: 'Default: made from the idea.' }, ...urlOption, ...jsonOption },
  async run({ values, positionals: [idea, ...more], output, connect, connectAsLocal }) {
    if (!idea || more.length > 0) throw new CommandError(EXIT.usage, 'Expected one idea, quoted: `gateway new-app "<idea>"`.')
    const local = connectAsLocal()
    const order = { idea, ...(values.name && { name: values.name }) }
    const answer = await local.post('/api/headless/new-app', order).catch((error: unknown) => {
      throw withoutFamily(error, local.url)
    })
    const { repo, pipeline } = answer as Produced
    if (pipeline?.triggered === false && !values.json) {
      throw new CommandError(
        EXIT.refused,
        `The app is in the directory, but its idea was not sent to the pipeline: ${pipeline.error ?? 'no reason was given'}`,
      )
    }
    if (repo?.name !== undefined) {
      await connect().call('repos_upsert', { ...repo, source: 'headless-new-app' })
    }
    if (values.json) output.json(answer)
    else
      output.line(
        repo?.name === undefined ? 'The idea is under way; no repo was named yet.' : `The repo ${repo.name} is made and registered.`,
      )
    return EXIT.ok
  },
})

function withoutFamily(error: unknown, url: string): unknown {
  const record = isCommandError(error) ? (error.record as { code?: string } | undefined) : undefined
  return record?.code === 'NOT_FOUND'
    ? new CommandError(EXIT.refused, `The gateway at ${url} does not run the family repos, which makes apps.`, record)
    : error
}
