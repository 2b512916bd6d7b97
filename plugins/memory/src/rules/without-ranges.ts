/** A part of a text from `start` up to, not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Marks in front of the words of a line: a quote, a heading, a list. */
const MARKS_BEFORE = /(?:^|\n)(?:[^\S\n]|[>#*+-]|\d+[.)][^\S\n])*$/
/** Marks behind the words of a heading: closing ones, or the line below it. */
const MARKS_AFTER = /^[^\S\n]*#*[^\S\n]*(?:\n {0,3}(?:=+|-+)[^\S\n]*(?=\n|$))?/
const NEAR = 200

/** Extends a range over the marks of the lines that it begins and ends, so that no empty item or heading is left of them. */
export function withMarks(text: string, { start, end }: Range): Range {
  const before = MARKS_BEFORE.exec(text.slice(Math.max(0, start - NEAR), start))?.[0].replace(/^\n/, '').length ?? 0
  const after = before > 0 || start === 0 || text[start - 1] === '\n' ? (MARKS_AFTER.exec(text.slice(end, end + NEAR))?.[0].length ?? 0) : 0
  return { start: start - before, end: end + after }
}

/** Returns a text without these ranges; the widest gap around each is kept: between paragraphs, lines or words. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && (start <= last.end || text.slice(last.end, start).trim() === '')) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  let left = ''
  let from = 0
  for (const { start, end } of merged) {
    left += text.slice(from, start)
    from = end
    const gapBefore = left.slice(left.trimEnd().length)
    const gapAfter = gapAt(text, from)
    if (left.trim() === '') {
      left = ''
      from += gapAfter.lastIndexOf('\n') + 1
    } else if (from + gapAfter.length === text.length) {
      left = left.trimEnd() + (gapAfter.startsWith('\n') ? '\n' : '')
      from = text.length
    } else {
      const indent = gapAfter.slice(gapAfter.lastIndexOf('\n') + 1)
      const lines = Math.max(linesIn(gapBefore), linesIn(gapAfter))
      left = left.trimEnd() + (lines > 1 ? '\n\n' : lines === 1 ? '\n' : ' ')
      from += gapAfter.length - (gapAfter.includes('\n') ? indent.length : 0)
    }
  }
  return left + text.slice(from)
}

function gapAt(text: string, at: number): string {
  const gap = /\s*/y
  gap.lastIndex = at
  return gap.exec(text)?.[0] ?? ''
}

const linesIn = (gap: string): number => gap.split('\n').length - 1
