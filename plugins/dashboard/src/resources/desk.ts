import { readFile } from 'node:fs/promises'
import { defineResource, NotFound, type Resource } from '@gateway/sdk'

const DESK_URI = 'ui://gateway/desk'

/** The desk as an MCP App: one page without outside parts, as the build left it in `folder`. Hosts show it beside results of tools. */
export function deskApp(folder: URL): Resource {
  let page: Promise<string> | undefined
  return defineResource({
    uri: DESK_URI,
    name: 'desk',
    description: 'The queue, work to review and swarms to approve, for hosts that show MCP Apps.',
    mimeType: 'text/html;profile=mcp-app',
    async read() {
      page ??= readFile(new URL('desk.html', folder), 'utf8')
      const text = await page.catch(() => {
        // The client may be built later.
        page = undefined
        throw NotFound({ what: 'built app', id: DESK_URI })
      })
      return [{ uri: DESK_URI, mimeType: 'text/html;profile=mcp-app', text }]
    },
  })
}
