import { definePlugin } from '@gateway/sdk'
import { wireForm } from './contributions/error-form.ts'
import { chatCompletions } from './routes/chat.ts'
import { countTokensRoute } from './routes/count-tokens.ts'
import { embeddings } from './routes/embeddings.ts'
import { messages } from './routes/messages.ts'
import { modelRoute } from './routes/model.ts'
import { modelsRoute } from './routes/models.ts'
import { responses } from './routes/responses.ts'
import { bodiesProvider } from './services/bodies.ts'

/**
 * Serves the wires of models, so that budgets hold for clients that know nothing of the gateway. Life of a call:
 *
 * 1. Read: at most 32 MiB of JSON; `model` names a tier, a model, or a model of one provider.
 * 2. Passed to a provider as it is where that speaks the same wire, else translated, or refused by the member that cannot be.
 * 3. Routed, reserved, asked and settled like every other model call.
 * 4. Passed back: unchanged from the same wire, else rendered in the client's; errors have the form of the wire too.
 */
export default definePlugin({
  id: 'model-endpoint',
  sdk: '^1.0.0',
  description: 'Model APIs in the formats of OpenAI and Anthropic, under the gateway’s budgets.',
  routes: [modelsRoute, modelRoute, chatCompletions, responses, embeddings, messages, countTokensRoute],
  provides: [bodiesProvider],
  contributes: [wireForm],
})
