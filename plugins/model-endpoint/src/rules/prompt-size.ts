import { type Json, object } from './json.ts'

const CHARACTERS_A_TOKEN = 4
const TOKENS_AN_IMAGE = 1_600
/** A page of a PDF has some 25,000 bytes, and costs some 3,000 tokens: it is read as text and as an image. */
const PDF_BYTES_A_TOKEN = 8
const BASE64_BYTES = 3 / 4

/**
 * Estimates the tokens of a body from its text and its value. Four characters are a token, with two exceptions: data in base64 that its
 * block, or its address `data:…`, calls an image or a PDF. An image counts by the piece, a small one by its characters; a PDF counts by its bytes.
 */
export function promptSize(text: string, body: unknown): number {
  const found = { characters: 0, tokens: 0 }
  addData(body, found)
  return Math.ceil((text.length - found.characters) / CHARACTERS_A_TOKEN) + found.tokens
}

interface Found {
  characters: number
  tokens: number
}

/** A body has a bounded number of values, at a bounded depth. */
function addData(value: unknown, found: Found): void {
  if (Array.isArray(value)) {
    for (const one of value) addData(one, found)
    return
  }
  const members = object(value)
  if (members === undefined) return
  if (members.type === 'base64') add(members.media_type, members.data, found)
  for (const [name, member] of Object.entries(members)) {
    if (typeof member === 'object') addData(member, found)
    else if (ADDRESSES.has(name) && typeof member === 'string') addAddress(member, found)
  }
}

/** Members that hold the address of an image or a file. A text that quotes such an address is a text. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'image_url', 'file_data'])

function addAddress(address: string, found: Found): void {
  const [, media] = /^data:([\w.+/-]{1,100});base64,/.exec(address) ?? []
  if (media !== undefined) add(media, address, found)
}

function add(media: Json[string], data: Json[string], found: Found): void {
  if (typeof media !== 'string' || typeof data !== 'string') return
  const tokens = tokensOf(media, data.length)
  if (tokens === undefined) return
  found.characters += data.length
  found.tokens += tokens
}

function tokensOf(media: string, characters: number): number | undefined {
  if (media.startsWith('image/')) return Math.min(TOKENS_AN_IMAGE, Math.ceil(characters / CHARACTERS_A_TOKEN))
  return media === 'application/pdf' ? Math.ceil((characters * BASE64_BYTES) / PDF_BYTES_A_TOKEN) : undefined
}
