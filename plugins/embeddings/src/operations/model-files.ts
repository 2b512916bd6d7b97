import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const MODEL = 'all-MiniLM-L6-v2'

/** Files of the model that are read, and the maximum size of each when it is fetched. */
export const FILES = [
  { path: 'config.json', maxBytes: 100_000 },
  { path: 'tokenizer_config.json', maxBytes: 100_000 },
  { path: 'tokenizer.json', maxBytes: 5_000_000 },
  { path: 'onnx/model_quantized.onnx', maxBytes: 60_000_000 },
] as const

/** Returns the first file of the model, relative to it, that `folder` lacks. */
export function missingFile(folder: string): string | undefined {
  return FILES.map(({ path }) => path).find((path) => !existsSync(join(folder, MODEL, path)))
}
