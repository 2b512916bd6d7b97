import { Containers } from './containers.ts'
import { definitionEnd } from './definition.ts'
import { type HtmlBlock, htmlBlockOf } from './html.ts'
import { Line } from './line.ts'
import {
  closesFence,
  type Fence,
  fenceOf,
  headingLevel,
  headingWords,
  isPlain,
  isQuote,
  isRule,
  listMarkerEnd,
  underlineLevel,
} from './starts.ts'

/** A heading of a Markdown document, outside of quotes and lists. The offsets are those of its lines. */
export interface MarkdownHeading {
  /** The depth, 1 to 6. */
  readonly level: number
  /** The source of the heading without its `#` or underline; other marks and line breaks are kept. */
  readonly words: string
  readonly start: number
  /** The offset of the line behind it. */
  readonly end: number
}

/** An open block without further blocks in it. */
type Leaf =
  | { readonly kind: 'paragraph'; readonly start: number }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'html'; readonly html: HtmlBlock }
  | { readonly kind: 'code' }

const LESS = 60
const OPENING_BRACKET = 91

/** Reads a document line by line and keeps track of the open block. */
export class Scan {
  readonly headings: MarkdownHeading[] = []
  readonly #line: Line
  readonly #containers = new Containers()
  #leaf: Leaf | undefined
  /** True when the previous line began a list item and has no content. */
  #hasEmptyItem = false

  constructor(text: string) {
    this.#line = new Line(text)
  }

  /** Reads up to the first heading that begins at `until` or behind it. */
  read(until: number): void {
    const line = this.#line
    let at = 0
    while (line.goTo(at)) {
      // Most lines continue a paragraph.
      const isText = this.#leaf?.kind === 'paragraph' && !line.isBlank && isPlain(line.code()) && this.#containers.isEmpty
      at = isText ? line.next : this.#read()
      if (this.headings.length > 0 && (this.headings.at(-1) as MarkdownHeading).start >= until) return
    }
  }

  /** Reads a line; returns the offset of the next one to read. */
  #read(): number {
    const line = this.#line
    const isWhole = this.#containers.follow(line)
    if (line.isBlank) return this.#readBlank(isWhole)
    this.#hasEmptyItem = false
    if (this.#isContinued(isWhole)) return line.next
    this.#containers.close()
    return this.#begin()
  }

  #readBlank(isWhole: boolean): number {
    const leaf = this.#leaf
    if (!isWhole) this.#containers.close()
    else if (this.#hasEmptyItem) this.#containers.closeItem()
    this.#hasEmptyItem = false
    if (!isWhole || leaf?.kind === 'paragraph' || (leaf?.kind === 'html' && leaf.html.endsAtBlank)) this.#leaf = undefined
    return this.#line.next
  }

  /** True when a line belongs to the open leaf. The leaf ends with the line that ends it. */
  #isContinued(isWhole: boolean): boolean {
    const leaf = this.#leaf
    const line = this.#line
    const isCode = this.#containers.isCode(line)
    if (leaf?.kind === 'paragraph') {
      const level = isWhole && !isCode ? underlineLevel(line) : 0
      if (level === 0) return this.#containers.continuesText(line, isWhole, 'as in a paragraph')
      this.#addHeading(level, leaf.start, line.text.slice(leaf.start, line.start).trim())
      this.#leaf = undefined
      return true
    }
    if (!leaf || !isWhole) return false
    if (leaf.kind === 'code') return isCode
    const isEnd = leaf.kind === 'html' ? leaf.html.isEnd(textOf(line)) : !isCode && closesFence(line, leaf.fence)
    if (isEnd) this.#leaf = undefined
    return true
  }

  /** Opens the containers and the leaf that a line begins. */
  #begin(): number {
    const line = this.#line
    const { start, next } = line
    this.#leaf = undefined
    while (!line.isBlank) {
      if (this.#containers.isCode(line)) {
        this.#leaf = { kind: 'code' }
        break
      }
      if (isPlain(line.code())) return this.#beginText(start, next)
      if (isRule(line)) break
      if (!this.#enterContainer()) return this.#beginLeaf(start, next)
    }
    return next
  }

  #enterContainer(): boolean {
    const line = this.#line
    if (isQuote(line)) {
      this.#containers.enterQuote(line)
      return true
    }
    const markerEnd = listMarkerEnd(line)
    if (markerEnd === -1) return false
    this.#containers.enterItem(line, markerEnd)
    this.#hasEmptyItem = line.isBlank
    return true
  }

  #beginLeaf(start: number, next: number): number {
    const line = this.#line
    const fence = fenceOf(line)
    const level = headingLevel(line)
    const html = line.code() === LESS ? htmlBlockOf(textOf(line)) : undefined
    if (fence) this.#leaf = { kind: 'fence', fence }
    else if (level > 0) this.#addHeading(level, start, headingWords(line, level))
    else if (html) this.#leaf = html.isEnd(textOf(line)) ? undefined : { kind: 'html', html }
    else this.#leaf = { kind: 'paragraph', start }
    return next
  }

  /** Any block may begin after a link reference definition, which is not part of the paragraph. */
  #beginText(start: number, next: number): number {
    const end = this.#line.code() === OPENING_BRACKET ? this.#definitionEnd() : -1
    if (end === -1) this.#leaf = { kind: 'paragraph', start }
    return end === -1 ? next : end
  }

  #definitionEnd(): number {
    const line = this.#line
    const more = (): boolean => {
      const { start } = line
      if (line.goTo(line.next)) {
        const isWhole = this.#containers.follow(line)
        if (!line.isBlank && this.#containers.continuesText(line, isWhole, 'all')) return true
      }
      line.goTo(start)
      return false
    }
    return definitionEnd(line, more)
  }

  #addHeading(level: number, start: number, words: string): void {
    const end = Math.min(this.#line.next, this.#line.text.length)
    if (this.#containers.isEmpty) this.headings.push({ level, words, start, end })
  }
}

const textOf = (line: Line): string => line.text.slice(line.at, line.end)
