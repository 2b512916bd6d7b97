import type { Credential, ErrorSpec, Operation, Plugin, Tool } from '@gateway/sdk'
import type { FamilyArea } from '@gateway/standard'
import { type Described, defaultText, table, typeText } from './schema-text.ts'

const NEEDS: Readonly<Record<Credential, readonly string[]>> = {
  caller: [],
  admin: ['needs `X-Admin-Token`'],
  'admin-and-local': ['needs `X-Admin-Token` and local trust'],
  own: ['needs a token of its own'],
  signed: ['needs a signature over its body'],
}

const LISTED: Readonly<Record<Tool['listing'], readonly string[]>> = {
  default: [],
  core: ['in the core list'],
  'core-only': ['in the core list only'],
  'family-only': ['in the list of its family only'],
}

/** Returns docs/reference/tools.md: every tool and route of the standard plugins, as a caller needs to know it. */
export function toolsReference(plugins: readonly Plugin[], areas: readonly FamilyArea[]): string {
  const tools = plugins.flatMap((plugin) => plugin.tools)
  const only = tools.filter(({ listing }) => listing === 'core-only').length
  const rare = tools.filter(({ listing }) => listing === 'family-only').length
  return `# Tools

${tools.length - only - rare} tools, ${only} that only the core list has, and ${rare} that only the list of a family has ([views](../views.md)). Each is called over MCP (\`tools/call\`) and as
\`POST /api/tools/<name>\` with its arguments as the body; those with a REST binding also there, where arguments come from the path,
the query and the body together. Unknown arguments are refused.

${table(['area', 'families', 'for'], areas.map(areaRow))}

${plugins.map(family).join('\n')}`
}

const areaRow = ({ title, families, description }: FamilyArea): readonly string[] => [
  title,
  families.map((id) => `[${id}](#${id})`).join(', '),
  description,
]

function family(plugin: Plugin): string {
  return `## ${plugin.id}

${plugin.description}

${[...plugin.tools.map((tool) => section(tool, LISTED[tool.listing])), ...plugin.routes.map((route) => section(route, ['route, not listed over MCP', ...NEEDS[route.credential]]))].join('\n')}`
}

function section(operation: Operation, kind: readonly string[]): string {
  const facts = [
    ...kind,
    `capability \`${operation.capability}\``,
    ...(operation.localOnly === undefined ? [] : ['for the tenant `local` alone']),
    `${operation.effect}${operation.idempotent && operation.effect !== 'read' ? ', idempotent' : ''}`,
    ...(operation.rest ? [`\`${operation.rest}\`${operation.status === 200 ? '' : ` → ${operation.status}`}`] : []),
  ]
  const parts = [
    `### ${operation.name}`,
    operation.description,
    facts.join(' · '),
    argumentsOf(operation.input as Described),
    errorsOf(operation.errors),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function argumentsOf(input: Described): string {
  const properties = Object.entries(input.properties ?? {})
  if (properties.length === 0) return 'No arguments.'
  const rows = properties.map(([name, schema]) => [
    `\`${name}\`${input.required?.includes(name) ? ' (required)' : ''}`,
    typeText(schema),
    defaultText(schema),
    schema.description ?? '',
  ])
  return table(['argument', 'type', 'default', ''], rows)
}

function errorsOf(errors: readonly ErrorSpec[]): string {
  return errors.length === 0 ? '' : `Errors: ${errors.map((error) => `\`${error.code}\``).join(', ')}.`
}
