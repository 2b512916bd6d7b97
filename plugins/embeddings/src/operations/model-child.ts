/**
 * The model's process. It takes one text at a time, because the vectors of a batch differ a little from those of
 * its texts alone. Ending it while the model runs would abort it, so it ends between two texts, also when its parent is gone.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Answer, Request } from '../rules/messages.ts'
import { MODEL } from './model-files.ts'

interface Session {
  create(model: unknown, options?: object): Promise<unknown>
}
interface Library {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: string, model: string, options: object): Promise<(text: string, options: object) => Promise<{ data: Float32Array }>>
}

const [library = '', models = ''] = process.argv.slice(2)
const waiting: Request[] = []
let working = false
let ending = false

// A signal to the terminal's whole process group is left to the parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', end)
process.on('message', (request: Request) => {
  if (request.kind === 'end') return end()
  waiting.push(request)
  void work()
})
const model = load()
model.then(
  () => send({ kind: 'ready' }),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)

async function load() {
  openFromFile()
  const { env, pipeline } = (await import(pathToFileURL(library).href)) as Library
  env.allowRemoteModels = false
  env.localModelPath = models
  return pipeline('feature-extraction', MODEL, { quantized: true })
}

/** The runtime ignores its options for a model passed as bytes and spins two threads, so it gets the file, and one thread. */
function openFromFile(): void {
  const { InferenceSession } = createRequire(library)('onnxruntime-node') as { InferenceSession: Session }
  const create = InferenceSession.create.bind(InferenceSession)
  const file = join(models, MODEL, 'onnx', 'model_quantized.onnx')
  InferenceSession.create = () => create(file, { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1 })
}

async function work(): Promise<void> {
  if (working) return
  working = true
  const embed = await model
  for (let request = waiting.shift(); request?.kind === 'embed' && !ending; request = waiting.shift()) {
    const { id, text } = request
    try {
      const { data } = await embed(text, { pooling: 'mean', normalize: true })
      send({ kind: 'vector', id, vector: data })
    } catch (error) {
      send({ kind: 'failed', id, error: error instanceof Error ? error.message : String(error) })
    }
  }
  working = false
  if (ending) process.exit(0)
}

function end(): void {
  ending = true
  if (!working) process.exit(0)
}

function send(answer: Answer): void {
  if (process.connected) process.send?.(answer, () => undefined)
}
