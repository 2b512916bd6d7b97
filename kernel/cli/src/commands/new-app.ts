import { jsonOption, urlOption } from '../args.ts'
import { clientOf, connect, serviceUrl } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'

interface Produced {
  readonly repo?: { readonly name?: string; readonly path?: string; readonly gitRemote?: string }
  /** Whether the idea was handed on; what kept it from that. */
  readonly pipeline?: { readonly triggered?: boolean; readonly error?: string }
}

export default defineCommand({
  summary: 'Have an app made from an idea, and register its repo.',
  usage: '"<idea>"',
  details: 'Needs a service with the new-app family and its pipeline. From another machine also GATEWAY_LOCAL_TOKEN.',
  options: { name: { type: 'string', value: 'NAME', description: 'Default: made from the idea.' }, ...urlOption, ...jsonOption },
  async run({ values, positionals: [idea, ...more], env, output }) {
    if (!idea || more.length > 0) throw new CliError(EXIT.usage, 'Expected one idea, quoted: `gateway new-app "<idea>"`.')
    const url = serviceUrl(values.url, env)
    const trust: Record<string, string> = env.GATEWAY_LOCAL_TOKEN ? { 'x-gateway-local-token': env.GATEWAY_LOCAL_TOKEN } : {}
    const answer = await clientOf(url, trust)
      .post('/api/headless/new-app', { idea, ...(values.name && { name: values.name }) })
      .catch((error: unknown) => {
        throw withoutFamily(error, url)
      })
    const { repo, pipeline } = answer as Produced
    if (pipeline?.triggered === false && !values.json) {
      throw new CliError(
        EXIT.refused,
        `The app stands in the directory, but its idea was not handed on: ${pipeline.error ?? 'no reason was given'}`,
      )
    }
    if (repo?.name !== undefined) {
      await connect(values.url, env).post('/api/tools/repos_upsert', { ...repo, source: 'headless-new-app' })
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
  const record = error instanceof CliError ? (error.record as { code?: string } | undefined) : undefined
  return record?.code === 'NOT_FOUND' ? new CliError(EXIT.refused, `The gateway at ${url} has no new-app family.`, record) : error
}
