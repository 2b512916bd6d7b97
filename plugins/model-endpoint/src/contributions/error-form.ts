import { contribute, type ErrorForm, errorForm } from '@gateway/sdk'
import { type ClientWire, refusalBody } from '../rules/wire-error.ts'

/** Errors below `/v1/` have the form of the client's wire, also when the call reached no route. */
export const wireForm = contribute(errorForm, {
  create: (): ErrorForm => ({
    prefix: '/v1/',
    body: ({ path, headers, status, error }) => refusalBody(wireOf(path, headers), status, error),
  }),
})

/** The wire is known by the path; a path of both wires, such as that of the list of models, by the header that one of them requires. */
function wireOf(path: string, headers: Readonly<Record<string, unknown>>): ClientWire {
  if (path.startsWith('/v1/messages')) return 'messages'
  const ofOne = /^\/v1\/(chat|responses|embeddings|completions)/.test(path)
  return !ofOne && headers['anthropic-version'] !== undefined ? 'messages' : 'chat'
}
