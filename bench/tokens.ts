/**
 * Estimates the tokens of a text, rather too many than too few. Three public tokenizers (o200k, cl100k, and the one
 * Anthropic published) make one token of 3.7 to 4.4 characters of these tools' definitions; fewer here leaves room for
 * other tokenizers, and needs no tokenizer at hand.
 */
export function estimatedTokens(text: string | Buffer): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}

const BYTES_PER_TOKEN = 3.5
