const CHARACTERS_A_TOKEN = 4
const TOKENS_AN_IMAGE = 1_600
/** Length from which a run of base64 is an image. */
const IMAGE = 4_000
/** Every image contains a character at a multiple of this distance, so that no other characters need be looked at. */
const STRIDE = IMAGE / 2

const BASE64 = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=') BASE64[letter.charCodeAt(0)] = 1

/** Estimates the tokens of a body. Long runs of base64 are images, which count by the piece. Takes milliseconds for the largest body. */
export function promptSize(text: string): number {
  const isBase64 = (at: number): boolean => BASE64[text.charCodeAt(at)] === 1
  let images = 0
  let inImages = 0
  let scanned = 0
  for (let at = 0; at < text.length; at += STRIDE) {
    if (at < scanned || !isBase64(at)) continue
    let from = at
    while (from > scanned && isBase64(from - 1)) from--
    scanned = at + 1
    while (scanned < text.length && isBase64(scanned)) scanned++
    if (scanned - from < IMAGE) continue
    images++
    inImages += scanned - from
  }
  return Math.ceil((text.length - inImages) / CHARACTERS_A_TOKEN) + images * TOKENS_AN_IMAGE
}
