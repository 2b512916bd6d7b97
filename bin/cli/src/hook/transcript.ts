import { closeSync, openSync, readSync } from 'node:fs'
import { redactText } from '@gateway/sdk/redact'

export interface Message {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly at?: string
}
/** Messages of the next part of a transcript, and the offset behind it. */
export interface Piece {
  readonly messages: readonly Message[]
  readonly next: number
}

const PIECE_BYTES = 256 * 1024
const MAX_TEXT = 100_000

/**
 * Reads the next part of a host's transcript, a file of JSON lines that grows: what the person and the model wrote, secrets replaced, and
 * nothing of files and results of tools. `undefined` when no further line is complete. A line longer than a part is skipped.
 */
export function pieceAt(path: string, offset: number): Piece | undefined {
  const bytes = readAt(path, offset)
  if (bytes === undefined || bytes.length === 0) return undefined
  const end = bytes.lastIndexOf('\n') + 1
  if (end === 0) return bytes.length < PIECE_BYTES ? undefined : { messages: [], next: offset + bytes.length }
  const lines = bytes.subarray(0, end).toString('utf8').split('\n')
  return { messages: lines.flatMap(messagesOf), next: offset + end }
}

function readAt(path: string, offset: number): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(PIECE_BYTES)
    return bytes.subarray(0, readSync(file, bytes, 0, PIECE_BYTES, offset))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The messages of a line; a line in another form has none. */
export function messagesOf(line: string): readonly Message[] {
  let entry: Record<string, unknown>
  try {
    entry = record(JSON.parse(line))
  } catch {
    return []
  }
  const { role, content } = entry.type === 'response_item' ? record(entry.payload) : record(entry.message)
  if (entry.isMeta === true || (role !== 'user' && role !== 'assistant')) return []
  const text = redactText(textOf(content).slice(0, 2 * MAX_TEXT))
    .slice(0, MAX_TEXT)
    .trim()
  const at = typeof entry.timestamp === 'string' && !Number.isNaN(Date.parse(entry.timestamp)) ? entry.timestamp : undefined
  return text === '' ? [] : [{ role, text, ...(at !== undefined && { at }) }]
}

const TEXTS = new Set(['text', 'input_text', 'output_text'])

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts = content.map(record).filter(({ type, text }) => TEXTS.has(String(type)) && typeof text === 'string')
  return parts.map(({ text }) => text as string).join('\n')
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
