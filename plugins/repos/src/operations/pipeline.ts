import type { Outgoing, OutgoingCaller } from '@gateway/plugin-outgoing/api'
import { defined, isToolError } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'

export interface PipelineSettings {
  readonly newAppPipelineUrl?: string | undefined
  readonly newAppPipelineToken?: string | undefined
  readonly newAppTimeoutSeconds: number
}
export interface Order {
  readonly idea: string
  readonly name: string
  readonly group: string
  readonly requestId: string
}
export type Triggered =
  | { readonly triggered: true; readonly status: number; readonly answer?: unknown }
  | { readonly triggered: false; readonly code: string; readonly error: string; readonly setting?: string; readonly status?: number }

const MAX_ANSWER_BYTES = 65_536

/** Hands an idea to the external pipeline, once. Never throws for a failure of the pipeline: the card reports it. */
export async function triggerPipeline(
  settings: PipelineSettings,
  outgoing: Outgoing | undefined,
  order: Order,
  ctx: OutgoingCaller,
): Promise<Triggered> {
  const { newAppPipelineUrl: url, newAppPipelineToken: token, newAppTimeoutSeconds } = settings
  if (url === undefined) return unset('NEW_APP_PIPELINE_URL')
  if (token === undefined) return unset('NEW_APP_PIPELINE_TOKEN')
  if (!outgoing)
    return {
      triggered: false,
      code: 'SWITCHED_OFF',
      error: 'The plugin outgoing is disabled: no outgoing calls.',
      setting: 'plugins.outgoing',
    }
  try {
    const { status, body } = await outgoing.send(
      {
        url,
        reach: 'operator',
        body: JSON.stringify(order),
        headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
        timeouts: { totalMs: newAppTimeoutSeconds * 1_000, firstByteMs: newAppTimeoutSeconds * 1_000 },
        maxResponseBytes: MAX_ANSWER_BYTES,
      },
      ctx,
    )
    if (status < 200 || status > 299)
      return { triggered: false, code: 'PIPELINE_REFUSED', error: `The pipeline answered ${status}.`, status }
    const answer = readAnswer(body.toString('utf8'))
    return { triggered: true, status, ...defined({ answer }) }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { triggered: false, code: error.code, error: error.message }
  }
}

function unset(setting: string): Triggered {
  return { triggered: false, code: 'UNAVAILABLE', error: `No pipeline makes apps here: ${setting} is not set.`, setting }
}

/** Returns the answer as the caller may see it: without secrets. */
function readAnswer(text: string): unknown {
  if (text.trim() === '') return undefined
  const shown = redactText(text)
  try {
    return JSON.parse(shown) as unknown
  } catch {
    return shown.slice(0, 2_000)
  }
}
