import { defineResource, type Resource } from './resource.ts'
import type { Operation } from './tool.ts'

/** The URI of a template with these variables, percent-encoded: the same text for readers and for `resourceUpdated`. */
export function resourceUri(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(variables[name] ?? ''))
}

/**
 * Declares a resource whose contents are the answer of a reading tool or route, as JSON. `input` makes the operation's arguments from
 * the variables of the template; by default they are the arguments.
 */
export function resourceOf(
  operation: Pick<Operation, 'uses' | 'handle'>,
  about: {
    uri: string
    name: string
    description: string
    input?: (variables: Readonly<Record<string, string>>) => object
  },
): Resource {
  const { input = (variables: object) => variables, ...rest } = about
  const mimeType = 'application/json'
  return defineResource({
    ...rest,
    mimeType,
    uses: operation.uses,
    async read(variables, uses, ctx) {
      const answer = await operation.handle(input(variables) as never, uses as never, ctx)
      return [{ uri: resourceUri(about.uri, variables), mimeType, text: JSON.stringify(answer) }]
    },
  })
}
