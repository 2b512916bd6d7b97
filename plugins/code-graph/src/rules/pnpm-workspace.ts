/** The `packages` of a `pnpm-workspace.yaml`, under the name they have in a `package.json`; nothing else of the file is read. */
export function parsePnpmWorkspace(text: string): { readonly workspaces: readonly string[] } {
  const workspaces: string[] = []
  let isListed = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, flow] = /^packages\s*:\s*(?:\[(.*)\])?\s*(?:#.*)?$/.exec(line) ?? []
    if (/^packages\s*:/.test(line)) isListed = true
    else if (/^[^\s#-]/.test(line)) isListed = false
    if (flow !== undefined) workspaces.push(...flow.split(',').map(scalar))
    const [, item] = (isListed && /^\s*-\s+(.+)$/.exec(line)) || []
    if (item !== undefined) workspaces.push(scalar(item))
  }
  return { workspaces: workspaces.filter((one) => one !== '') }
}

function scalar(text: string): string {
  const [, single, double, plain = ''] = /^\s*(?:'([^']*)'|"([^"]*)"|([^#]*?))\s*(?:#.*)?$/.exec(text) ?? []
  return single ?? double ?? plain.trim()
}
