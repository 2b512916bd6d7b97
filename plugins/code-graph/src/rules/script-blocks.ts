export interface ScriptBlock {
  readonly lang: 'ts' | 'tsx' | 'jsx'
  readonly text: string
  /** A file in which the block stands instead. */
  readonly src?: string
}

const COMPONENT = /\.(?:vue|svelte|astro|mdx)$/
export const isComponent = (path: string): boolean => COMPONENT.test(path)

/** The scripts of a component file: its `<script>` elements, in Astro also what is between the first fences, in MDX the module lines. */
export function scriptBlocks(path: string, text: string): readonly ScriptBlock[] {
  if (path.endsWith('.mdx')) return [{ lang: 'tsx', text: moduleLines(text) }]
  const [fence = '', fenced] = (path.endsWith('.astro') && /^\uFEFF?\s*---\r?\n([\s\S]*?)^---\s*$/m.exec(text)) || []
  return [...(fenced === undefined ? [] : [{ lang: 'ts', text: fenced } as const]), ...scriptElements(text.slice(fence.length))]
}

/** A script begins a line or follows another tag; in an attribute it is text. */
const OPENING = /<!--|(?<=^|>)[^\S\n]*<script\b/gim
const ATTRIBUTES = /((?:"[^"]*"|'[^']*'|[^>"'])*)>/y
const MAX_ATTRIBUTES = 2_000
const CLOSING = /<\/script\s*>/gi

function scriptElements(text: string): readonly ScriptBlock[] {
  const found: ScriptBlock[] = []
  for (let opening = find(OPENING, text, 0); opening; opening = find(OPENING, text, opening.end)) {
    if (opening.text === '<!--') {
      const end = text.indexOf('-->', opening.end)
      if (end < 0) break
      opening.end = end
      continue
    }
    const [whole = '', attributes] = match(ATTRIBUTES, text.slice(opening.end, opening.end + MAX_ATTRIBUTES))
    const begins = opening.end + whole.length
    const closing = find(CLOSING, text, begins)
    if (attributes !== undefined) found.push(...blockOf(attributes, text.slice(begins, closing?.begin)))
    if (!closing) break
    opening.end = closing.end
  }
  return found
}

function blockOf(attributes: string, text: string): readonly ScriptBlock[] {
  const [src, lang = ''] = [attribute(attributes, 'src'), attribute(attributes, 'lang')]
  const known = lang === 'ts' || lang === 'tsx' ? lang : /^(?:js|jsx|javascript|)$/.test(lang) ? 'jsx' : undefined
  return known === undefined ? [] : [{ lang: known, text, ...(src !== undefined && { src }) }]
}

function find(pattern: RegExp, text: string, from: number): { readonly text: string; readonly begin: number; end: number } | undefined {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found ? { text: found[0], begin: found.index, end: pattern.lastIndex } : undefined
}

function match(pattern: RegExp, text: string): readonly string[] {
  pattern.lastIndex = 0
  return pattern.exec(text) ?? []
}

function attribute(attributes: string, name: string): string | undefined {
  const [, quoted, single, bare] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  return quoted ?? single ?? bare
}

/** Paragraphs that begin with `import` or `export`, outside of code fences. */
function moduleLines(text: string): string {
  const kept: string[] = []
  let [fence, isModule, isBlank] = ['', false, true]
  for (const line of text.split(/\r?\n/)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== '') fence = mark?.startsWith(fence) ? '' : fence
    else if (mark !== undefined) fence = mark
    else if (line.trim() === '') isModule = false
    else if (isBlank && /^(?:import|export)\b/.test(line)) isModule = true
    kept.push(isModule && fence === '' ? line : '')
    isBlank = line.trim() === '' || isModule
  }
  return kept.join('\n')
}
