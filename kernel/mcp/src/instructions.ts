import { admits, type Gateway, type Offered } from '@gateway/kernel'
import { bootBundle, bootSection, cutText, type Principal, type Tool } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { visibleTools } from './tool-list.ts'
import { core, everything, type View } from './views.ts'

/** A section is in the context of every connecting agent, so it must be short, and none may delay a handshake. */
const MAX_SECTION_CHARACTERS = 2_000
/** Limit of the text that replaces all sections. */
const MAX_BUNDLE_CHARACTERS = 8_000
const MAX_RENDER_MS = 2_000

/** The boot bundle that an MCP client receives with `initialize`: the kernel's own section, then those of plugins. */
export async function instructions(gateway: Gateway, principal: Principal, view: View): Promise<string> {
  // Sections tell of the whole tenant, and a key for one piece of work must not.
  if (principal.confinedTo !== undefined) return `You are \`${principal.id}\`. \`tools/list\` has what your key may call.`
  const contributed = admits(principal, 'read', gateway.settings.rbacEnforce)
    ? (await bundle(gateway, principal)) || (await sections(gateway, principal))
    : ''
  return [ownSection(gateway, principal, view), contributed].filter((text) => text !== '').join('\n\n')
}

/** A text composed by a plugin, only for the operator, because it contains state and handoffs of this machine's repos. */
async function bundle(gateway: Gateway, principal: Principal): Promise<string> {
  if (principal.kind !== 'operator') return ''
  const [first] = gateway.collect(bootBundle, principal)
  return first ? cutText(await rendered('bundle', first, gateway), MAX_BUNDLE_CHARACTERS) : ''
}

async function sections(gateway: Gateway, principal: Principal): Promise<string> {
  const contributed = [...gateway.collect(bootSection, principal)].sort((a, b) => a.order - b.order)
  const texts = await Promise.all(
    contributed.map(async (section) => {
      const text = await rendered(section.title, section, gateway)
      return text === '' ? '' : `## ${section.title}\n${cutText(text, MAX_SECTION_CHARACTERS)}`
    }),
  )
  return texts.filter((text) => text !== '').join('\n\n')
}

function ownSection(gateway: Gateway, principal: Principal, view: View): string {
  return [
    `# Gateway ${gateway.version}`,
    `You are \`${principal.id}\` (role ${principal.role}) in tenant \`${principal.tenantId}\`; every tool acts on that tenant.`,
    toolsLine(gateway, principal, view),
    'A refused call has `isError`, a sentence, and `code` and `details` in `structuredContent`: correct the named field and call again.',
  ].join('\n')
}

function toolsLine(gateway: Gateway, caller: Principal, view: View): string {
  const all = visibleTools(gateway, caller)
  const byFamily = countedFamilies(all)
  if (view === everything) return `${all.length} tools${byFamily}. \`tools/list\` has each one’s arguments.`
  const shown = visibleTools(gateway, caller, view)
  if (view !== core) {
    return `This list has ${shown.length} tools${countedFamilies(shown)}. All ${all.length} stand at \`/mcp\`, a short list at \`/mcp/core\`.`
  }
  const rest = all.length - shown.filter(everything.shows).length
  const ways = shown.filter((tool) => isWayToRest(tool, shown)).map(({ item }) => `\`${item.name}\``)
  const how = ways.length === 0 ? 'stand at `/mcp`' : `are found and called through ${ways.join(', ')}`
  return `This list has ${shown.length} tools, those that most work needs. ${rest} more ${how}. In all ${all.length}${byFamily}.`
}

/** True for a tool that stands in no other list, of a plugin that passes calls on: other such tools have work of their own. */
const isWayToRest = (tool: Offered<Tool>, shown: readonly Offered<Tool>[]): boolean =>
  !everything.shows(tool) && shown.some(({ plugin, item }) => plugin === tool.plugin && item.forwardsTo !== undefined)

function countedFamilies(tools: readonly Offered<Tool>[]): string {
  const families = new Map<string, number>()
  for (const { plugin } of tools) families.set(plugin, (families.get(plugin) ?? 0) + 1)
  const counts = [...families].map(([family, count]) => `${family} ${count}`).join(', ')
  return counts === '' ? '' : ` by family: ${counts}`
}

/** A section that fails or takes too long is left out and logged: it must not keep agents from connecting. */
async function rendered(section: string, source: { render(): Promise<string> }, gateway: Gateway): Promise<string> {
  try {
    return await withTimeLimit(source.render(), MAX_RENDER_MS, section)
  } catch (error) {
    gateway.log.warn({ section, err: error }, 'boot section left out')
    return ''
  }
}
