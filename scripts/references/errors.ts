import type { ErrorSpec, Plugin } from '@gateway/sdk'
import { table } from './schema-text.ts'

/** Returns docs/reference/errors.md: the catalogue, the gateway's own codes first. */
export function errorsReference(gateway: readonly ErrorSpec[], plugins: readonly Plugin[]): string {
  const known = new Set(gateway.map((error) => error.code))
  const families = plugins.map((plugin) => {
    const declared = [...plugin.tools, ...plugin.routes, ...plugin.contributes].flatMap(({ errors = [] }) => errors)
    const own = declared.filter((error) => !known.has(error.code))
    return own.length === 0 ? '' : `\n## ${plugin.id}\n\n${catalogue(own)}\n`
  })
  return `# Errors

Every refusal is one record: \`{"error": "<sentence>", "code": "<CODE>", "details"?: …, "requestId": "…"}\`. Over REST it is the
body under the status below; over MCP the result has \`isError: true\`, the sentence as text and the record as
\`structuredContent\`. \`code\` is stable; the sentence may change.

## Any call

${catalogue(gateway)}
${families.join('')}`
}

function catalogue(errors: readonly ErrorSpec[]): string {
  const first = new Map([...errors].reverse().map((error) => [error.code, error]))
  const sorted = [...first.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  return table(
    ['code', 'status', 'when'],
    sorted.map((error) => [`\`${error.code}\``, String(error.status), error.description]),
  )
}
