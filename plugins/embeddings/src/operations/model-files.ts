import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const MODEL = 'all-MiniLM-L6-v2'

/** What of the model is read, and the most each file may be when it is fetched. */
export const FILES = [
  { path: 'config.json', maxBytes: 100_000 },
  { path: 'tokenizer_config.json', maxBytes: 100_000 },
  { path: 'tokenizer.json', maxBytes: 5_000_000 },
  { path: 'onnx/model_quantized.onnx', maxBytes: 60_000_000 },
] as const

/** The first file of the model that `folder` lacks, within the model. */
export function missingFile(folder: string): string | undefined {
  return FILES.map(({ path }) => path).find((path) => !existsSync(join(folder, MODEL, path)))
}
