import type { ComponentChild } from 'preact'
import { readable } from './text.ts'

/**
 * Renders untrusted Markdown as elements: headings, paragraphs, lists, quotes, code, tables, rules, emphasis, and links to
 * http, https and this dashboard. HTML in it is text, an image is its description, and nothing is fetched. Deep or long parts
 * are text too: the cost is proportional to the length.
 */
export function Markdown({ text }: { text: string }) {
  const whole = text.slice(0, MAX_CHARACTERS)
  const lines = readable(whole).split('\n')
  return (
    <div class="markdown">
      {blocks(lines, 0)}
      {text.length > whole.length && <p class="none">The rest of the text was cut off.</p>}
    </div>
  )
}

const MAX_CHARACTERS = 200_000
const MAX_DEPTH = 6

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const ITEM = /^(\s{0,3})([-*+]|\d{1,9}[.)])\s+(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

function blocks(lines: readonly string[], depth: number): ComponentChild[] {
  const found: ComponentChild[] = []
  let at = 0
  const line = (): string => lines[at] ?? ''
  while (at < lines.length) {
    const fence = FENCE.exec(line())?.[1]
    const heading = HEADING.exec(line())
    if (line().trim() === '') at += 1
    else if (fence) {
      const from = ++at
      while (at < lines.length && !line().trimStart().startsWith(fence)) at += 1
      found.push(<pre tabIndex={0}>{lines.slice(from, at).join('\n')}</pre>)
      at += 1
    } else if (heading) {
      // The level is below the heading of its panel.
      const Level = `h${Math.min(6, (heading[1] as string).length + 2)}` as 'h3'
      found.push(<Level>{spans(heading[2] as string)}</Level>)
      at += 1
    } else if (RULE.test(line())) {
      found.push(<hr />)
      at += 1
    } else if (depth < MAX_DEPTH && QUOTE.test(line())) {
      const inner: string[] = []
      for (let quoted = QUOTE.exec(line()); at < lines.length && quoted; quoted = QUOTE.exec(line())) {
        inner.push(quoted[1] as string)
        at += 1
      }
      found.push(<blockquote>{blocks(inner, depth + 1)}</blockquote>)
    } else if (depth < MAX_DEPTH && ITEM.test(line())) found.push(list())
    else if (line().includes('|') && TABLE_RULE.test(lines[at + 1] ?? '')) found.push(table())
    else found.push(paragraph())
  }
  return found

  function list(): ComponentChild {
    const ordered = /\d/.test((ITEM.exec(line()) as RegExpExecArray)[2] as string)
    const items: ComponentChild[] = []
    for (let item = ITEM.exec(line()); item && /\d/.test(item[2] as string) === ordered; item = ITEM.exec(line())) {
      const inset = (item[1] as string).length + 2
      const inner = [item[3] as string]
      at += 1
      while (at < lines.length && line().trim() !== '' && line().search(/\S/) >= inset) {
        inner.push(line().slice(inset))
        at += 1
      }
      const simple = inner.length === 1
      items.push(<li>{simple ? task(inner[0] as string) : blocks(inner, depth + 1)}</li>)
    }
    return ordered ? <ol>{items}</ol> : <ul>{items}</ul>
  }

  function table(): ComponentChild {
    const head = cells(line())
    at += 2
    const rows: string[][] = []
    while (at < lines.length && line().includes('|')) {
      rows.push(cells(line()))
      at += 1
    }
    return (
      <div class="scroll" tabIndex={0} role="region" aria-label="Table">
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th>{spans(cell)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {head.map((_, index) => (
                  <td>{spans(row[index] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }

  function paragraph(): ComponentChild {
    const from = at
    do at += 1
    while (at < lines.length && line().trim() !== '' && ![FENCE, HEADING, RULE, ITEM, QUOTE].some((start) => start.test(line())))
    return <p>{spans(lines.slice(from, at).join('\n'))}</p>
  }
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|', 50)
    .map((cell) => cell.trim())
}

function task(text: string): ComponentChild {
  const [, mark, rest] = /^\[([ xX])\]\s+(.*)$/.exec(text) ?? []
  return mark === undefined ? spans(text) : [mark === ' ' ? '☐ ' : '☑ ', ...spans(rest ?? '')]
}

/** Longer lines are plain text: no pattern runs over them. */
const MAX_LINE = 20_000
const SPAN =
  /`([^`\n]{1,2000})`|\*\*([^*\n]{1,2000})\*\*|__([^_\n]{1,2000})__|\*([^*\s][^*\n]{0,2000})\*|~~([^~\n]{1,2000})~~|!?\[([^\]\n]{0,500})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>()"'`]{1,2000})/g

function spans(text: string): ComponentChild[] {
  if (text.length > MAX_LINE) return [text]
  const found: ComponentChild[] = []
  let from = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, strong2, emphasis, gone, label, target, bare] = match
    found.push(text.slice(from, match.index))
    from = match.index + whole.length
    if (code !== undefined) found.push(<code>{code}</code>)
    else if (strong !== undefined || strong2 !== undefined) found.push(<strong>{strong ?? strong2}</strong>)
    else if (emphasis !== undefined) found.push(<em>{emphasis}</em>)
    else if (gone !== undefined) found.push(<del>{gone}</del>)
    else if (whole.startsWith('!')) found.push(`[image: ${label}]`)
    else found.push(link(bare ?? target ?? '', bare ?? label ?? ''))
  }
  found.push(text.slice(from))
  return found
}

/** The title shows the whole address, because a label may claim another. */
function link(target: string, label: string): ComponentChild {
  if (target.startsWith('/dashboard/')) return <a href={target}>{label}</a>
  if (!/^https?:\/\//i.test(target)) return `${label} (${target})`
  return (
    <a href={target} title={target} target="_blank" rel="noopener noreferrer nofollow">
      {label === '' ? target : label}
    </a>
  )
}
