import { type BootSection, bootSection, type Principal } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import { visibleTools } from './tool-list.ts'

/** A section stands in the context of every agent that connects, so it stays short, and none may hold up a handshake. */
const MAX_SECTION_CHARACTERS = 2_000
const MAX_RENDER_MS = 2_000

/** The boot bundle an MCP client receives with `initialize`: the kernel’s own section, then what plugins contribute. */
export async function instructions(gateway: Gateway, principal: Principal): Promise<string> {
  const contributed = [...gateway.collect(bootSection, principal)].sort((a, b) => a.order - b.order)
  const rendered = await Promise.all(contributed.map((section) => render(section, gateway)))
  return [ownSection(gateway, principal), ...rendered].filter((text) => text !== '').join('\n\n')
}

function ownSection(gateway: Gateway, principal: Principal): string {
  const families = new Map<string, number>()
  const tools = visibleTools(gateway, principal.role)
  for (const { plugin } of tools) families.set(plugin, (families.get(plugin) ?? 0) + 1)
  const counts = [...families].map(([family, count]) => `${family} ${count}`).join(', ')
  return [
    `# Gateway ${gateway.version}`,
    `You are \`${principal.id}\` (role ${principal.role}) in tenant \`${principal.tenantId}\`; every tool acts on that tenant.`,
    `${tools.length} tools${counts === '' ? '' : ` by family: ${counts}`}. \`tools/list\` has each one’s arguments; names begin with their family.`,
    'A refused call has `isError`, a sentence, and `code` and `details` in `structuredContent`: mend the named field and call again.',
  ].join('\n')
}

/** A section that fails or dawdles is left out and logged: it must not keep agents from connecting. */
async function render(section: BootSection, gateway: Gateway): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${MAX_RENDER_MS} ms`)), MAX_RENDER_MS)
  })
  try {
    const text = await Promise.race([section.render(), timeout])
    return text === '' ? '' : `## ${section.title}\n${text.slice(0, MAX_SECTION_CHARACTERS)}`
  } catch (error) {
    gateway.log.warn({ section: section.title, err: error }, 'boot section left out')
    return ''
  } finally {
    clearTimeout(timer)
  }
}
